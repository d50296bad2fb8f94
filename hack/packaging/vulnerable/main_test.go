package main

import (
	"fmt"
	"strings"
	"testing"
)

const osv = `{"osv": {"id": "GO-1", "summary": "A panic"}}
`

// found is what govulncheck says of a vulnerability.
func found(module, fixed, function string) string {
	return fmt.Sprintf(`{"finding": {"osv": "GO-1", "fixed_version": %q, "trace": [{"module": %q, "version": "v1.0.0", "function": %q}]}}
`, fixed, module, function)
}

func TestWhatAnotherVersionMendsFails(t *testing.T) {
	for name, c := range map[string]struct {
		findings string
		mended   int
		want     string
	}{
		"called": {osv + found("m", "v1.0.1", "") + found("m", "v1.0.1", "Serve"), 1,
			"takt calls m v1.0.0, which has GO-1 (A panic): take v1.0.1.\n"},
		"called in many ways": {osv + found("m", "v1.0.1", "Serve") + found("m", "v1.0.1", "Read"), 1,
			"takt calls m v1.0.0, which has GO-1 (A panic): take v1.0.1.\n"},
		"not called": {osv + found("m", "v1.0.1", ""), 0, "takt calls nothing that is known to be vulnerable.\n"},
		"not mended": {osv + found("m", "", "Serve"), 0,
			"takt calls m v1.0.0, which has GO-1 (A panic). No version mends it yet.\n"},
		"of Go itself": {osv + found(standard, "v1.26.9", "Serve"), 0,
			"takt is built with a Go whose library has GO-1: a newer Go mends them.\n"},
	} {
		told, mended, err := judge("takt", strings.NewReader(`{"config": {}}`+c.findings))
		if err != nil || told != c.want || mended != c.mended {
			t.Errorf("%s: %q, %d (%v), want %q, %d", name, told, mended, err, c.want, c.mended)
		}
	}
	for name, findings := range map[string]string{"nothing": "", "nonsense": "no JSON"} {
		if _, _, err := judge("takt", strings.NewReader(findings)); err == nil {
			t.Errorf("%s passes", name)
		}
	}
}
