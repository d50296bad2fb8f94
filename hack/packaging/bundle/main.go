// Command bundle makes the bundle of Takt for the Operator Lifecycle Manager: what config/default installs, in the form
// that it wants, with what bundle/ says of Takt to people.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"
)

func main() {
	var o options
	flag.StringVar(&o.root, "root", "../..", "folder of the repository")
	flag.StringVar(&o.version, "version", "", "version of Takt, such as v0.1.0")
	flag.StringVar(&o.image, "image", "", "image of Takt, with its tag")
	flag.StringVar(&o.agentImage, "agent-image", "", "image of its agent, with its tag")
	flag.Int64Var(&o.created, "created", 0, "when it was released, in seconds since 1970")
	flag.StringVar(&o.scorecard, "scorecard", "", "image of the scorecard's tests")
	flag.StringVar(&o.out, "out", "", "folder to make the bundle in")
	flag.Parse()
	if err := write(o); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

type options struct {
	root, version, image, agentImage, scorecard, out string
	created                                          int64
}

// write makes the bundle in its folder, of which nothing from before stays.
func write(o options) error {
	if o.version == "" || o.image == "" || o.agentImage == "" || o.out == "" {
		return errors.New("give --version, --image, --agent-image and --out")
	}
	objects, err := installed(o)
	if err != nil {
		return err
	}
	csv, rest, err := describe(o, objects)
	if err != nil {
		return err
	}
	manifests := filepath.Join(o.out, "manifests")
	if err := errors.Join(os.RemoveAll(o.out), os.MkdirAll(manifests, 0o755)); err != nil { //nolint:gosec // others read it
		return err
	}
	for name, object := range rest {
		if err := writeYAML(filepath.Join(manifests, name), object); err != nil {
			return err
		}
	}
	return errors.Join(
		writeYAML(filepath.Join(manifests, "takt.clusterserviceversion.yaml"), csv),
		os.CopyFS(filepath.Join(o.out, "metadata"), os.DirFS(filepath.Join(o.root, "bundle", "metadata"))),
		writeScorecard(o),
		copyFile(filepath.Join(o.root, "bundle", "Dockerfile"), filepath.Join(o.out, "bundle.Dockerfile")),
		copyFile(filepath.Join(o.root, "LICENSE"), filepath.Join(o.out, "LICENSE")),
	)
}

// writeScorecard writes what the scorecard is to test, with another image of its tests where that is given.
func writeScorecard(o options) error {
	var config map[string]any
	if err := read(filepath.Join(o.root, "bundle", "tests", "scorecard", "config.yaml"), &config); err != nil {
		return err
	}
	if o.scorecard != "" {
		for _, stage := range config["stages"].([]any) {
			for _, test := range stage.(map[string]any)["tests"].([]any) {
				test.(map[string]any)["image"] = o.scorecard
			}
		}
	}
	folder := filepath.Join(o.out, "tests", "scorecard")
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // others read it
		return err
	}
	return writeYAML(filepath.Join(folder, "config.yaml"), config)
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644) //nolint:gosec // others read it
}

func writeYAML(path string, object any) error {
	text, err := yaml.Marshal(object)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644) //nolint:gosec // others read it
}
