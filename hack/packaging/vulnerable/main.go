// Command vulnerable judges what govulncheck has found in a program, which it reads from standard input as JSON. It
// fails for a vulnerability of a module that the program calls and that another version mends: take that one. It tells
// of those that nothing mends yet, and of those of Go itself, which go with the Go that the program is built with.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// standard is how govulncheck calls the library of Go itself.
const standard = "stdlib"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: vulnerable PROGRAM < FINDINGS")
		os.Exit(2)
	}
	told, mended, err := judge(os.Args[1], os.Stdin)
	fmt.Print(told)
	if err != nil {
		fmt.Fprintln(os.Stderr, "vulnerable:", err)
	}
	if err != nil || mended > 0 {
		os.Exit(1)
	}
}

// message is a part of what govulncheck says.
type message struct {
	OSV *struct {
		ID      string `json:"id"`
		Summary string `json:"summary"`
	} `json:"osv"`
	Finding *finding `json:"finding"`
}

type finding struct {
	OSV   string `json:"osv"`
	Fixed string `json:"fixed_version"`
	Trace []struct {
		Module   string `json:"module"`
		Version  string `json:"version"`
		Function string `json:"function"`
	} `json:"trace"`
}

// called says that the program calls what is vulnerable, and does not just contain it.
func (f *finding) called() bool { return len(f.Trace) > 0 && f.Trace[0].Function != "" }

// judge says in sentences what was found in a program, and how much of that another version of a module mends.
func judge(program string, findings io.Reader) (told string, mended int, err error) {
	about, called, read := map[string]string{}, map[string]*finding{}, 0
	for decoder := json.NewDecoder(findings); ; read++ {
		var m message
		if err := decoder.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return "", 0, fmt.Errorf("reading what was found in %s: %w", program, err)
		}
		if m.OSV != nil {
			about[m.OSV.ID] = m.OSV.Summary
		}
		if f := m.Finding; f != nil && f.called() {
			called[f.OSV+" "+f.Trace[0].Module] = f
		}
	}
	if read == 0 {
		return "", 0, fmt.Errorf("nothing was said of %s: did govulncheck run?", program)
	}
	of := make([]*finding, 0, len(called))
	for _, f := range called {
		of = append(of, f)
	}
	slices.SortFunc(of, func(a, b *finding) int {
		return cmp.Or(cmp.Compare(a.Trace[0].Module, b.Trace[0].Module), cmp.Compare(a.OSV, b.OSV))
	})
	var lines strings.Builder
	var own []string
	for _, f := range of {
		at := f.Trace[0]
		switch {
		case at.Module == standard:
			own = append(own, f.OSV)
		case f.Fixed == "":
			fmt.Fprintf(&lines, "%s calls %s %s, which has %s (%s). No version mends it yet.\n",
				program, at.Module, at.Version, f.OSV, about[f.OSV])
		default:
			mended++
			fmt.Fprintf(&lines, "%s calls %s %s, which has %s (%s): take %s.\n",
				program, at.Module, at.Version, f.OSV, about[f.OSV], f.Fixed)
		}
	}
	if len(own) > 0 {
		fmt.Fprintf(&lines, "%s is built with a Go whose library has %s: a newer Go mends them.\n", program,
			strings.Join(own, ", "))
	}
	if lines.Len() == 0 {
		fmt.Fprintf(&lines, "%s calls nothing that is known to be vulnerable.\n", program)
	}
	return lines.String(), mended, nil
}
