package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/operator/settings"
)

func TestTheSchemaHasTheSettingsAsTheyAre(t *testing.T) {
	text, err := os.ReadFile("../../charts/takt/values.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := rewrite(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("go run ./hack/chart writes it anew, -want +got:\n%s", diff)
	}
}

func TestASchemaWithoutSettingsIsRefused(t *testing.T) {
	for _, schema := range []string{"", `{"settings": {}}`, "{\n    \"settings\": {\n    }\n}"} {
		if written, err := rewrite(schema); err == nil {
			t.Errorf("of %q is made %q", schema, written)
		}
	}
}

// Else it would narrow nothing, once a setting has another name.
func TestWhatIsNarrowedIsASetting(t *testing.T) {
	object := settingsObject("")
	for _, path := range slices.Concat(slices.Collect(maps.Keys(narrowed)), slices.Collect(maps.Keys(settings.Numbers))) {
		section, key, nested := strings.Cut(path, ".")
		_, after, found := strings.Cut(object, `"`+section+`": {`)
		if !found || nested && !strings.Contains(after, `"`+key+`": {`) {
			t.Errorf("%s is no setting", path)
		}
	}
}
