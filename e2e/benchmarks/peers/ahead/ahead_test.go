package ahead

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the sentences into the page")

const page = "../../../../docs/benchmarks-peers.md"

// The page says of each of its figures in which a peer is ahead that this is so.
func TestThePageSaysWhereAPeerIsAhead(t *testing.T) {
	read, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(read)
	said, err := Sentences(text, Peers)
	if err != nil {
		t.Fatal(err)
	}
	if *rewrite && !strings.Contains(text, said) {
		const next = "\nA job that has not ended counts as late"
		head, rest, _ := strings.Cut(text, next)
		if err := os.WriteFile(page, []byte(head+"\n"+said+next+rest), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(text, "\n"+said+"\n") {
		t.Errorf("docs/benchmarks-peers.md does not say\n%s", said)
	}
}

func TestWhoeverIsAheadIsNamed(t *testing.T) {
	rows := map[string]Row{"met": More, "took": Less, "from": Neither}
	for name, test := range map[string]struct{ table, want, fails string }{
		"somebody is": {
			table: "| | one | other | Takt |\n|---|---|---|---|\n| from | a | b | c |\n" +
				"| met | 3 of 4 | 1 of 4 | 2 of 4 |\n| took | 9 s | 7.5 s | 10 s |\n",
			want: "Where a peer is ahead of Takt:\n\n- met: one has 3 of 4, and Takt 2 of 4.\n" +
				"- took: one has 9 s, other has 7.5 s, and Takt 10 s.\n",
		},
		"nobody is": {table: "| | one | Takt |\n|---|---|---|\n| met | 2 | 2 |\n| took | 9 s | 9 s |\n",
			want: "No peer is ahead of Takt in any of these figures.\n"},
		"a row that nobody knows": {table: "| | one | Takt |\n| size | 2 | 2 |\n", fails: `"size"`},
		"no figure":               {table: "| | one | Takt |\n| met | few | 2 |\n", fails: `"met"`},
		"no column of ours":       {table: "| | one |\n| met | 2 |\n", fails: "no column Takt"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Sentences(test.table, rows)
			failed := err != nil && strings.Contains(err.Error(), test.fails)
			if got != test.want || failed != (test.fails != "") || err != nil && !failed {
				t.Errorf("got %q (%v), want %q", got, err, test.want)
			}
		})
	}
}
