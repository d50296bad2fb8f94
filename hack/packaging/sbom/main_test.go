package main

import (
	"bytes"
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// The program of the test is one as well: it tells of its own modules.
func TestAProgramTellsWhatItIsMadeOf(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if err := run(&written, "v0.1.0", time.Unix(0, 0), []string{program, program}); err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(written.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if want := "/v0.1.0/sbom/" + runtime.GOOS + "-" + runtime.GOARCH; !strings.HasSuffix(d.DocumentNamespace, want) {
		t.Errorf("its namespace is %s, which does not end in %s, so that others may have it", d.DocumentNamespace, want)
	}
	ids := map[string]bool{self: true}
	for _, p := range d.Packages {
		if ids[p.SPDXID] {
			t.Errorf("%s is there twice", p.SPDXID)
		}
		ids[p.SPDXID] = true
	}
	for _, r := range d.Relationships {
		if !ids[r.Element] || !ids[r.Related] {
			t.Errorf("%+v names what is not there", r)
		}
	}
	if !slices.ContainsFunc(d.Packages, func(p part) bool {
		return p.Name == "stdlib" && strings.HasPrefix(p.ExternalRefs[0].Locator, "pkg:golang/stdlib@1.")
	}) {
		t.Errorf("the standard library is missing from\n%s", &written)
	}
}

// Else scanners do not find what is known of a module.
func TestModulesAreNamedAsScannersDo(t *testing.T) {
	got := goPackage("github.com/Azure/go-ansiterm", "v2.0.0+incompatible")[0].Locator
	if got != "pkg:golang/github.com/azure/go-ansiterm@v2.0.0%2Bincompatible" {
		t.Errorf("it is called %s", got)
	}
}

// A document with a part that nobody can look up would be taken for a complete one.
func TestAPartThatNobodyKnowsIsRefused(t *testing.T) {
	const sum = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
	for name, test := range map[string]struct {
		module debug.Module
		known  bool
	}{
		"as it is":             {debug.Module{Path: "example.com/a", Version: "v1.0.0", Sum: sum}, true},
		"of this repository":   {debug.Module{Path: "a", Replace: &debug.Module{Path: "../a"}}, true},
		"without a version":    {debug.Module{Path: "example.com/a", Sum: sum}, false},
		"without a checksum":   {debug.Module{Path: "example.com/a", Version: "v1.0.0"}, false},
		"from somebody's disk": {debug.Module{Path: "a", Replace: &debug.Module{Path: "/home/me/a"}}, false},
	} {
		err := newDocument("v0.1.0", time.Unix(0, 0)).add("takt", "v0.1.0",
			&debug.BuildInfo{GoVersion: "go1.26", Deps: []*debug.Module{&test.module}})
		if (err == nil) != test.known {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatIsNoProgramIsNamed(t *testing.T) {
	if err := run(&bytes.Buffer{}, "v0.1.0", time.Unix(0, 0), []string{"main.go"}); err == nil ||
		!strings.Contains(err.Error(), "main.go") {
		t.Errorf("the error is %v", err)
	}
}
