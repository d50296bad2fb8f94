package manual

import "strings"

// exception is a command that no test plays as it is written, and why.
type exception struct{ file, begins, why string }

const (
	published = "the published data are not in this repository: make bench plays this on them"
	engine    = "there is no such engine here: localcluster/image judges what each reads of an archive"
	training  = "it is the command of a job, which nobody is told to type: "
	root      = "real nodes take root: TestRealNodes of localcluster does this to some"
)

var exceptions = []exception{
	{"docs/benchmarks.md", "takt sim --trace $DATA/", published},
	{"docs/benchmarks.md", "takt predict --data $DATA/", published},
	{operations, "kubectl krew install ", "krew is not among what is built here: hack/packaging judges the manifest"},
	{operations, "crane ", "there is no registry here, and no crane"},
	{operations, "docker load", engine},
	{operations, "podman load", engine},
	{operations, "ctr images import", engine},
	{operations, "skopeo copy", engine},
	{"docs/testing.md", "apt-get install chromium", "make test-long does that, where it may"},
	{operations, "kubectl -n takt-system port-forward ", "nothing listens in the pods of simulated nodes; " +
		"the operator suite reads the page where it is served"},
	{"docs/runbooks.md", "kubectl -n takt-system logs ", "pods of simulated nodes have no logs"},
	{"docs/agent.md", "python -m torch.distributed.run", training + "the tests of agent have it"},
	{"docs/using.md", "python -m torch.distributed.launch ", training + "operator/kind looks for its option, whatever " +
		"the program is"},
	{"docs/agent.md", "takt-agent exec ", "it is what Takt writes into a pod: the tests of agent play it with other " +
		"programs"},
	{"sdk/python/README.md", "pip install ", "make sdk-test installs it, in an environment of its own"},
	{localcluster, "sudo ", root},
	{localcluster, "bin/kubectl run train ", root},
	{localcluster, "bin/kubectl logs train", root},
	{localcluster, "localcluster kill machine-0", root},
	{localcluster, "localcluster restart machine-0", root},
	{localcluster, "localcluster kill kubelet-0", root},
	{localcluster, "TAKT_CLUSTER=$PWD/.localcluster go test ./e2e/...", "that is all suites: make e2e plays them on " +
		"one cluster"},
}

// exceptionOf is the index of the exception that a command of a file is.
func exceptionOf(file, command string) (index int, found bool) {
	for i, e := range exceptions {
		if e.file == file && strings.HasPrefix(command, e.begins) {
			return i, true
		}
	}
	return 0, false
}
