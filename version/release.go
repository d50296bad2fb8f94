package version

import (
	"regexp"
	"strings"
)

// Release is the version of a release, such as v0.1.0; empty for what was built from the sources. It knows where the
// people who use it have the files of Takt.
type Release string

// home is where releases and sources are.
const home = "https://github.com/takt-dev/takt/"

// between are versions that name a commit, and not a release.
var between = regexp.MustCompile(`^v0\.0\.0-|-[0-9]+-g[0-9a-f]+|-dirty|\+`)

// OfRelease is the release that this program is of.
func OfRelease() Release {
	if !strings.HasPrefix(stamped, "v") || between.MatchString(stamped) {
		return ""
	}
	return Release(stamped)
}

// Apply is the command that installs what a folder of config/ makes. Whoever has a release does not have the folder:
// the release has a file for it.
func (r Release) Apply(folder string) string {
	if r == "" {
		return "kubectl apply --server-side -k config/" + folder
	}
	version := string(r)
	return "kubectl apply --server-side -f " + home + "releases/download/" + version + "/takt-" + version + "-" +
		strings.ReplaceAll(folder, "/", "-") + ".yaml"
}

// Page is where a page of docs/ can be read.
func (r Release) Page(name string) string {
	if r == "" {
		return "docs/" + name
	}
	return home + "blob/" + string(r) + "/docs/" + name
}
