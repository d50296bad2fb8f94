package main

import (
	"testing"

	"github.com/takt-dev/takt/version"
)

func TestVersionIsTold(t *testing.T) {
	got := call(t, "", "--version")
	if want := "takt version " + version.Of() + "\n"; got.code != exitDone || got.stdout != want {
		t.Errorf("it ends with %d, and says %q %q, want %q", got.code, got.stdout, got.stderr, want)
	}
}
