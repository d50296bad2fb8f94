package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/told"
)

// query is which jobs are looked for, and in which order.
type query struct {
	Text    string // part of a name, a namespace or a queue
	Verdict string
	Sort    string // a column; empty: who is to be looked at first
	Down    bool   // the greatest first
	Page    int    // from 1
	Again   bool   // the page is loaded anew by itself
}

const (
	// longestText is more than any name has.
	longestText = 128
	// everySeconds is how often a page is loaded anew, where that is asked for.
	everySeconds = 30
)

func parseQuery(values url.Values) query {
	q := query{Text: strings.ToLower(strings.TrimSpace(values.Get("q"))), Verdict: values.Get("verdict"),
		Again: values.Get("again") == "yes"}
	if len(q.Text) > longestText {
		q.Text = strings.ToValidUTF8(q.Text[:longestText], "")
	}
	if !slices.Contains(verdictChoices(), q.Verdict) {
		q.Verdict = ""
	}
	q.Sort, q.Down = strings.CutPrefix(values.Get("sort"), "-")
	if _, known := columns[q.Sort]; !known {
		q.Sort, q.Down = "", false
	}
	q.Page, _ = strconv.Atoi(values.Get("page"))
	q.Page = max(q.Page, 1)
	return q
}

// verdictChoices are those that jobs can be chosen by.
func verdictChoices() []string {
	var all []string
	for _, v := range told.Verdicts {
		all = append(all, string(v))
	}
	return append(all, string(v1alpha1.VerdictMet))
}

// link is the address of a page with a query, relative to the one that is shown.
func (q query) link() string {
	values := url.Values{}
	set := func(name, value string) {
		if value != "" {
			values.Set(name, value)
		}
	}
	set("q", q.Text)
	set("verdict", q.Verdict)
	set("sort", q.Order())
	if q.Again {
		set("again", "yes")
	}
	if q.Page > 1 {
		set("page", strconv.Itoa(q.Page))
	}
	return "?" + values.Encode()
}

// Order is the column as the address has it.
func (q query) Order() string {
	if q.Down {
		return "-" + q.Sort
	}
	return q.Sort
}

// by is the same query in the order of a column, or the other way round where it is in that already.
func (q query) by(column string) query {
	q.Down, q.Page = q.Sort == column && !q.Down, 1
	q.Sort = column
	return q
}

// matches says whether a job is looked for.
func (q query) matches(job *v1alpha1.ElasticJob) bool {
	if q.Verdict != "" && string(job.Status.Verdict) != q.Verdict {
		return false
	}
	return q.Text == "" || strings.Contains(job.Namespace+"/"+job.Name+" "+job.Spec.Queue, q.Text)
}
