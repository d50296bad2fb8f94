package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/client-go/util/jsonpath"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/cli/golden"
)

// What the documents show of jobs and resizes is what kubectl prints, by the columns of their kinds, and what takt
// draws.
func TestTheDocumentsShowWhatIsPrinted(t *testing.T) {
	resizes := golden.Resizes("resnet")
	shows(t, "../README.md", "kubectl get elasticjobs", byKubectl(t, "elasticjobs",
		golden.Job("bert", golden.AtRisk), golden.Job("resnet"), golden.Job("sweep", golden.BestEffort)))
	shows(t, "../docs/resize.md", "kubectl get resizes", byKubectl(t, "resizes", resizes[0], resizes[1]))
	drawn, err := os.ReadFile(filepath.FromSlash(shown["takt timeline resnet"]))
	if err != nil {
		t.Fatal(err)
	}
	shows(t, "../docs/concepts.md", "takt timeline resnet", string(drawn))
}

// shows fails the test if a document does not show what a command prints, or writes it there.
func shows(t *testing.T, document, command, printed string) {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	begin := "```\n$ " + command + "\n"
	before, after, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(after, "```\n")
	if !found || !closed {
		t.Fatalf("%s does not show what %s prints", document, command)
	}
	golden.File(t, document, before+begin+printed+"```\n"+after)
}

// byKubectl is what kubectl prints of objects, which are in the order of their names.
func byKubectl(t *testing.T, kind string, objects ...any) string {
	t.Helper()
	var crd struct {
		Spec struct {
			Versions []struct {
				AdditionalPrinterColumns []struct {
					Name, Type, JSONPath string
					Priority             int
				}
			}
		}
	}
	text, err := os.ReadFile("../config/crd/bases/takt.dev_" + kind + ".yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &crd)
	}
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 6, 4, 3, ' ', 0) // as kubectl has it
	rows := make([][]string, 1+len(objects))
	rows[0] = []string{"NAME"}
	for i, object := range objects {
		rows[i+1] = []string{value(t, object, ".metadata.name")}
	}
	for _, c := range crd.Spec.Versions[0].AdditionalPrinterColumns {
		if c.Priority > 0 {
			continue
		}
		rows[0] = append(rows[0], strings.ToUpper(c.Name))
		for i, object := range objects {
			cell := value(t, object, c.JSONPath)
			if c.Type == "date" {
				cell = age(t, cell)
			}
			rows[i+1] = append(rows[i+1], cell)
		}
	}
	for _, row := range rows {
		_, _ = table.Write([]byte(strings.Join(row, "\t") + "\n")) // into memory
	}
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// value is one of an object; what is not there is empty.
func value(t *testing.T, object any, path string) string {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	var found strings.Builder
	find := jsonpath.New(path).AllowMissingKeys(true)
	if err := find.Parse("{" + path + "}"); err != nil {
		t.Fatal(err)
	}
	if err := find.Execute(&found, fields); err != nil {
		t.Fatal(err)
	}
	return found.String()
}

func age(t *testing.T, moment string) string {
	t.Helper()
	at, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		t.Fatal(err)
	}
	return duration.HumanDuration(golden.Now.Sub(at))
}
