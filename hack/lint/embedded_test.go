package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Whoever embeds a type takes all of its methods and fields for its own: what one package has, another seems to have,
// and a name that is added there may be taken here. Within one package that is seen; between two it is not. Types of
// Kubernetes are embedded as Kubernetes would have it.

// mayEmbed are the structs that do so all the same, each with its reason.
var mayEmbed = map[string]string{
	"cli/whatif/answer.go: Outcome of elastic":               "its fields are those of the JSON that takt whatif prints",
	"cmd/takt/plan.go: Decision of elastic":                  "its fields are those of the JSON that takt plan prints",
	"elastic/begin/scene.go: Snapshot of elastic":            "its fields are those of the JSON that takt snapshot prints",
	"cmd/takt/simflags.go: PerHour of price":                 "a flag is what it is the flag of",
	"operator/hearing/agents.go: Word of operator/progress":  "what an agent says, with its date",
	"operator/planning/observe.go: Subject of operator/view": "a job that is seen, with why it is left alone",
	"told/job.go: ElasticJob of api/v1alpha1":                "a job is told of by what the API has of it",
}

func TestNoTypeOfAnotherPackageIsEmbedded(t *testing.T) {
	packages, err := packagesOf(os.DirFS(filepath.Join("..", "..")), parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) < 100 {
		t.Errorf("%d packages were looked at", len(packages))
	}
	left := maps.Clone(mayEmbed)
	for _, p := range packages {
		for _, found := range embeds(p) {
			if mayEmbed[found] == "" {
				t.Errorf("%s is embedded: give it a name", found)
			}
			delete(left, found)
		}
	}
	for _, nowhere := range slices.Sorted(maps.Keys(left)) {
		t.Errorf("%s is not embedded, and needs no exception", nowhere)
	}
}

func TestWhatIsEmbeddedIsFound(t *testing.T) {
	const text = `package a

import (
	"time"

	"github.com/takt-dev/takt/elastic"
	other "github.com/takt-dev/takt/operator/kind"
	"k8s.io/api/core/v1"
)

type mine struct{ Pod *v1.Pod }

type whole struct {
	mine
	time.Time
	*v1.Node
	elastic.Snapshot
	*other.Kind
	some other.List[int]
	in   struct{ elastic.Job }
}

type wide interface{ elastic.Clock }
`
	packages, err := packagesOf(files("a/a.go", text), parser.SkipObjectResolution)
	if err != nil || len(packages) != 1 {
		t.Fatalf("%d packages (%v)", len(packages), err)
	}
	want := []string{"a/a.go: Snapshot of elastic", "a/a.go: Kind of operator/kind", "a/a.go: Job of elastic"}
	if got := embeds(packages[0]); !slices.Equal(got, want) {
		t.Errorf("it is found that %q, want %q", got, want)
	}
}

// embeds are the types of other packages of this repository that structs of a package embed, each with its file.
func embeds(p parsed) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		file := p.files[name]
		ours := map[string]string{}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil || !strings.HasPrefix(imported, module) {
				continue
			}
			called := path.Base(imported)
			if spec.Name != nil {
				called = spec.Name.Name
			}
			ours[called] = strings.TrimPrefix(imported, module)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			of, is := n.(*ast.StructType)
			if !is {
				return true
			}
			for _, field := range of.Fields.List {
				if len(field.Names) > 0 {
					continue
				}
				if from, is := selected(field.Type); is && ours[from.X.(*ast.Ident).Name] != "" {
					all = append(all, fmt.Sprintf("%s/%s: %s of %s", p.folder, name, from.Sel.Name,
						ours[from.X.(*ast.Ident).Name]))
				}
			}
			return true
		})
	}
	return all
}

// selected is the type of another package that an embedded field has.
func selected(e ast.Expr) (*ast.SelectorExpr, bool) {
	for {
		switch of := e.(type) {
		case *ast.StarExpr:
			e = of.X
		case *ast.IndexExpr:
			e = of.X
		case *ast.IndexListExpr:
			e = of.X
		case *ast.SelectorExpr:
			_, is := of.X.(*ast.Ident)
			return of, is
		default:
			return nil, false
		}
	}
}
