package main

import (
	"os"
	"strings"
	"testing"
)

// What a release gives people is in its notes, which are made of the changelog.
func TestTheChangelogNamesEachCommand(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range command("takt").Commands() {
		name := cmd.Name()
		if cmd.Hidden || name == "help" || name == "completion" {
			continue
		}
		if !strings.Contains(string(text), "`takt "+name) {
			t.Errorf("the changelog does not name takt %s", name)
		}
	}
}
