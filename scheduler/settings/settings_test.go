package settings

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

func decode(t *testing.T, text string) (Settings, error) {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Decode(&runtime.Unknown{Raw: raw, ContentType: runtime.ContentTypeJSON})
}

func TestWhatIsLeftOutHasItsDefault(t *testing.T) {
	for _, args := range []string{"{}", "{gangs: {hold: 10s}}"} {
		s, err := decode(t, args)
		if err != nil {
			t.Fatal(err)
		}
		if s.Gangs.Foreign != Ignore || len(s.Packing.Levels) != 2 || s.Packing.Apart != 8 {
			t.Errorf("%s gives %+v", args, s)
		}
	}
	if s, err := Decode(nil); err != nil || s.Gangs.Hold.Duration != 30*time.Second {
		t.Errorf("no args give %+v, %v", s, err)
	}
	if s, err := decode(t, "{kind: TaktArgs, order: {patience: 1m}}"); err != nil ||
		s.Order.Patience.Duration != time.Minute {
		t.Errorf("one span gives %+v, %v", s, err)
	}
}

func TestWhatMakesNoSenseIsRefusedWithItsName(t *testing.T) {
	for name, c := range map[string]struct{ args, want string }{
		"a name that there is not": {"{gangs: {holds: 3s}}", `unknown field "gangs.holds"`},
		"no duration":              {"{gangs: {hold: soon}}", `gangs.hold is "soon", but must be between 1s and 15m0s`},
		"a bare number":            {"{order: {patience: 10}}", `order.patience is "10", but must be between 0s and 24h0m0s`},
		"a word for a number":      {"{packing: {apart: far}}", `packing.apart`},
		"too short":                {"{gangs: {hold: 0s}}", `gangs.hold is "0s", but must be between 1s and 15m0s`},
		"negative": {"{order: {headStart: -1s}}",
			`order.headStart is "-1s", but must be between 0s and 24h0m0s`},
		"a word":  {"{gangs: {foreign: Steal}}", `gangs.foreign is "Steal", but must be Ignore or Include`},
		"no GPUs": {"{packing: {resources: []}}", `packing.resources is "[]", but must be one name or more`},
		"cpu": {"{packing: {resources: [cpu]}}",
			`packing.resources[0] is "cpu", but must be the name of an extended resource`},
		"two of a name": {"{packing: {levels: [{name: row, key: a}, {name: row, key: b}]}}",
			`packing.levels[1].name is "row", but must be a name of its own`},
		"the name of the node": {"{packing: {levels: [{name: node, key: a}]}}", `packing.levels[0].name is "node"`},
		"no key": {"{packing: {levels: [{name: row}]}}",
			`packing.levels[0].key is "", but must be the key of a label`},
		"a cost below":   {"{packing: {levels: [{name: row, key: a, apart: -1}]}}", `packing.levels[0].apart is "-1"`},
		"several things": {"{gangs: {hold: 0s, foreign: x}}", "gangs.foreign"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode(t, c.args)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if _, err := Decode(&runtime.Unknown{Raw: []byte("[]")}); err == nil {
		t.Error("a list is taken for args")
	}
}
