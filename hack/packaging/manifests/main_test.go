package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const root = "../../.."

// made is a folder with the files of a release.
func made(t *testing.T) string {
	t.Helper()
	out := t.TempDir()
	if err := write(options{root, "v0.1.0", "registry.example.com/takt", out}); err != nil {
		t.Fatal(err)
	}
	return out
}

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the manual tells people to apply is among what a release has.
func TestTheManualNamesFilesThatAReleaseHas(t *testing.T) {
	out := made(t)
	named := regexp.MustCompile(`takt-v0\.1\.0-[a-z-]+\.yaml`).FindAllString(page(t, "operations.md"), -1)
	if len(named) < 5 {
		t.Errorf("the manual names %d files alone", len(named))
	}
	for _, name := range named {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Errorf("the manual names a file that a release has not: %v", err)
		}
	}
}

// Whoever has a release alone can do what the pages tell those with the sources to do.
func TestAReleaseHasEachFolderThatPeopleAreToldToApply(t *testing.T) {
	out := made(t)
	sourcesAlone := map[string]bool{"namespaced": true, "namespaced/training": true} // changed before they are applied
	found := 0
	for _, name := range []string{"operations.md", "runbooks.md", "scheduler.md", "security.md", "metrics.md"} {
		for _, match := range regexp.MustCompile(`config/([a-z/-]*[a-z])`).FindAllStringSubmatch(page(t, name), -1) {
			folder := match[1]
			if _, err := os.Stat(filepath.Join(root, "config", folder, "kustomization.yaml")); err != nil {
				continue // a file, or a folder within one
			}
			found++
			file := options{version: "v0.1.0", out: out}.file(folder)
			if _, err := os.Stat(file); err != nil && !sourcesAlone[folder] {
				t.Errorf("docs/%s names config/%s, which a release has not: %v", name, folder, err)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d folders are found", found)
	}
}

// Nothing of a release is what has to be filled in.
func TestAReleaseNamesItsImages(t *testing.T) {
	out := made(t)
	files, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	images := 0
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(out, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), ":dev") {
			t.Errorf("%s names a placeholder", file.Name())
		}
		images += strings.Count(string(text), "registry.example.com/takt:v0.1.0")
	}
	if images < 4 { // the operator, both schedulers, and removal
		t.Errorf("only %d images are named", images)
	}
}

// The overlay by which the manual has people choose settings works over the sources and over a release, each with the
// volume that may be added.
func TestTheOverlayOfTheManualChangesSettings(t *testing.T) {
	manual := page(t, "operations.md")
	block := regexp.MustCompile("(?s)```yaml\n([^`]*configMapGenerator:[^`]*)```").FindStringSubmatch(manual)
	if block == nil {
		t.Fatal("docs/operations.md shows no overlay with a configMapGenerator")
	}
	const (
		sources, release = "resources: [takt/config/default]", "resources: [takt-v0.1.0-default.yaml]"
		component, patch = "components: [takt/config/records]", "- path: takt-v0.1.0-records.yaml"
	)
	for _, line := range []string{sources, release, component, patch} {
		if !strings.Contains(manual, line) {
			t.Errorf("docs/operations.md does not tell of %q", line)
		}
	}
	folder := besideSources(t)
	t.Run("over the sources", func(t *testing.T) { checkOverlay(t, folder, block[1]+component+"\n") })
	bare := regexp.MustCompile(`(?m)^images:.*\n|^ +containers:\n.*\n.*\n`).ReplaceAllString(block[1], "")
	t.Run("over a release", func(t *testing.T) {
		checkOverlay(t, made(t), strings.Replace(bare, sources, release, 1)+patch+"\n")
	})
}

// besideSources is an empty folder in which this repository is found as takt.
func besideSources(t *testing.T) string {
	t.Helper()
	absolute, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(absolute, filepath.Join(folder, "takt")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// Whoever has a volume for one node alone is told of a patch by which the pod that has it goes before the next one
// comes.
func TestThePatchForAVolumeOfOneNodeWorks(t *testing.T) {
	const patch = "spec: {replicas: 1, strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}}"
	comment, err := os.ReadFile(filepath.Join(root, "config", "records", "kustomization.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{
		"docs/operations.md": page(t, "operations.md"), "config/records": string(comment),
	} {
		if !strings.Contains(text, patch) {
			t.Errorf("%s does not tell of %s", where, patch)
		}
	}
	folder := besideSources(t)
	overlay := "resources: [takt/config/default]\ncomponents: [takt/config/records]\npatches:\n- patch: |\n" +
		"    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: takt-operator, namespace: takt-system}\n    " +
		patch + "\n"
	if err := os.WriteFile(filepath.Join(folder, "kustomization.yaml"), []byte(overlay), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := build(folder)
	if err != nil {
		t.Fatal(err)
	}
	const want = "\n  strategy:\n    rollingUpdate:\n      maxSurge: 0\n      maxUnavailable: 1\n"
	if !strings.Contains(string(text), want) {
		t.Errorf("no Deployment has %q", want)
	}
}

// checkOverlay judges that an overlay has the operator read settings that are beside it.
func checkOverlay(t *testing.T, folder, overlay string) {
	t.Helper()
	const settings = "timeZone: Europe/Berlin\n"
	for file, text := range map[string]string{"kustomization.yaml": overlay, "takt.yaml": settings} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := build(folder)
	if err != nil {
		t.Fatal(err)
	}
	given, mounted := "", ""
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &o.Object); err != nil {
			t.Fatal(err)
		}
		said, _, _ := unstructured.NestedString(o.Object, "data", "takt.yaml")
		if o.GetKind() == "ConfigMap" && said == settings {
			given = o.GetName()
		}
		if o.GetKind() == "Deployment" {
			mounted = mountedConfig(t, o)
			if !strings.Contains(document, "image: registry.example.com/takt:v0.1.0") ||
				!strings.Contains(document, "value: registry.example.com/takt-agent:v0.1.0") ||
				!strings.Contains(document, "claimName: takt-records") {
				t.Errorf("the images or the volume are not those of the overlay:\n%s", document)
			}
		}
	}
	// The hash in its name has the operator rolled out anew.
	if given != mounted || !regexp.MustCompile(`-[a-z0-9]{10}$`).MatchString(given) {
		t.Errorf("the operator mounts %q, and the settings are in %q", mounted, given)
	}
}

// mountedConfig is the ConfigMap that a Deployment mounts.
func mountedConfig(t *testing.T, deployment *unstructured.Unstructured) string {
	t.Helper()
	volumes, _, err := unstructured.NestedSlice(deployment.Object, "spec", "template", "spec", "volumes")
	if err != nil {
		t.Fatal(err)
	}
	for _, volume := range volumes {
		if name, found, _ := unstructured.NestedString(volume.(map[string]any), "configMap", "name"); found {
			return name
		}
	}
	return ""
}
