package manual

import (
	"slices"
	"strings"
)

// Player is a test that plays passages.
type Player string

// The players. Each asks for its book, and fails where it has left out something.
const (
	Sources      Player = "sources"      // is there such a target of make, such a test, such a folder?
	Alone        Player = "alone"        // takt without a cluster
	Jobs         Player = "jobs"         // beside jobs that train
	Ended        Player = "ended"        // beside a job that has ended
	Installation Player = "installation" // on a cluster that has never heard of Takt, with simulated nodes
	Image        Player = "image"        // on real nodes, with the image: make e2e-real
	Machine      Player = "machine"      // clusters of localcluster
)

// Players are where they are.
var Players = map[Player]string{
	Sources: "hack/manual", Alone: "cmd/takt", Jobs: "e2e/suites/cli", Ended: "e2e/suites/cli",
	Installation: "e2e/suites/install", Image: "e2e/suites/image", Machine: "e2e/suites/demo",
}

// rule gives passages to a player: those of a file, under a heading, that begin like this, as far as it says so.
type rule struct {
	file, heading, begins string
	fenced                bool
	player                Player
}

const operations, localcluster = "docs/operations.md", "localcluster/README.md"

// rules are tried in this order, and the first one that holds counts.
var rules = []rule{
	{file: operations, heading: "Install from a release", fenced: true, player: Installation},
	{file: operations, heading: "A page for people", fenced: true, player: Installation},
	{file: operations, heading: "Back up", fenced: true, player: Installation},
	{file: operations, heading: "Bring back", fenced: true, player: Installation},
	{file: operations, fenced: true, player: Image},
	{file: localcluster, fenced: true, player: Machine},
	{file: "README.md", heading: "A cluster of your own", fenced: true, player: Machine},
	{file: "README.md", heading: "Quick start", begins: "go build ", player: Alone},
	{begins: "localcluster ", player: Machine},

	{begins: "make ", player: Sources},
	{begins: "DEMO_REAL=1 make ", player: Sources},
	{begins: "TAKT_SCREENSHOTS=FOLDER go test ", player: Sources},
	{begins: "go test ", player: Sources},
	{begins: "go build ", player: Sources},
	{begins: "go run ", player: Sources}, // of a program whose name others play

	{begins: "takt plan --file snapshot.json", player: Jobs}, // which takt snapshot has written
	{begins: "takt plan", player: Alone},
	{begins: "takt sim", player: Alone},
	{begins: "takt predict", player: Alone},
	{begins: "takt completion", player: Alone},
	{begins: "bin/takt ", player: Alone},

	{begins: "takt trace", player: Ended},
	{begins: "kubectl wait --for=condition=Succeeded ", player: Ended},
	{begins: "takt-operator remove", player: Installation},
	{begins: "helm ", player: Installation},
	{file: "docs/runbooks.md", fenced: true, player: Installation},
	{file: "docs/scheduler.md", heading: "Install", player: Installation},
	{file: "README.md", heading: "Install", player: Installation},
	{begins: "kubectl -n takt-system ", player: Installation},
	{begins: "kubectl apply --server-side -k ", player: Installation},
	{begins: "kubectl delete -k ", player: Installation},
	{begins: "kubectl create clusterrolebinding ", player: Installation},
	{begins: "kubectl auth can-i ", player: Installation},
	{begins: "kubectl ", player: Jobs},
	{begins: "bin/kubectl ", player: Jobs},
	{begins: "takt ", player: Jobs},
	{file: "docs/cli.md", begins: `ln -s "$PWD/bin/takt" `, player: Jobs},
}

// playerOf is who plays a passage; empty if nobody does.
func playerOf(p Passage) Player {
	for _, r := range rules {
		if r.holds(p) {
			return r.player
		}
	}
	return ""
}

func (r rule) holds(p Passage) bool {
	return (r.file == "" || r.file == p.File) && (r.heading == "" || r.heading == p.Heading) && (!r.fenced || p.Fenced) &&
		strings.HasPrefix(p.Script, r.begins)
}

// ofSources says whether a line of a block is judged by what there is in the sources, whoever plays the rest of it.
func ofSources(line string) bool {
	return slices.ContainsFunc([]string{"make ", "go build ", "go run ", "go test "}, func(begins string) bool {
		return strings.HasPrefix(line, begins)
	})
}
