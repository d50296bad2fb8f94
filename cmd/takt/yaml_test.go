package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// What is printed as YAML is what is printed as JSON.
func TestYAMLSaysWhatJSONSays(t *testing.T) {
	trace, speeds := madeUp(t)
	for _, line := range []string{
		"plan --file " + example,
		"predict --samples 3 --draws 1 --data ../../docs/examples/speeds/bert.csv",
		"sim --gpus 8 --trace " + trace + " --throughputs " + speeds,
	} {
		t.Run(strings.Fields(line)[0], func(t *testing.T) {
			var values [2]any
			for i, form := range []string{"json", "yaml"} {
				got := call(t, "", append(strings.Fields(line), "-o", form)...)
				if got.code != exitDone {
					t.Fatalf("as %s it ends with %d: %s", form, got.code, got.stderr)
				}
				if isJSON := json.Valid([]byte(got.stdout)); isJSON != (form == "json") {
					t.Errorf("as %s it is\n%s", form, got.stdout)
				}
				if err := yaml.Unmarshal([]byte(got.stdout), &values[i]); err != nil {
					t.Fatal(err)
				}
			}
			clock := cmp.FilterPath(func(p cmp.Path) bool {
				at, ok := p.Last().(cmp.MapIndex)
				return ok && (at.Key().String() == "wallSeconds" || at.Key().String() == "decisionMillis")
			}, cmp.Ignore())
			if diff := cmp.Diff(values[0], values[1], clock); diff != "" {
				t.Errorf("-json +yaml:\n%s", diff)
			}
		})
	}
}
