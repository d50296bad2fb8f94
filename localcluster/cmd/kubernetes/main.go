// Command kubernetes is all of a control plane in one binary: it runs the program that it is
// called as (kube-apiserver, kubectl, …), by the name of the link or by its first argument.
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	name := filepath.Base(os.Args[0])
	if _, ok := programs[name]; !ok && len(os.Args) > 1 {
		name, os.Args = os.Args[1], os.Args[1:]
	}
	run, ok := programs[name]
	if !ok {
		names := slices.Sorted(maps.Keys(programs))
		fmt.Fprintf(os.Stderr, "call it as one of %s, or give one of them as the first argument\n", strings.Join(names, ", "))
		os.Exit(2)
	}
	os.Exit(run())
}
