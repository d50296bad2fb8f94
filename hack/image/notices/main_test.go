package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The program of the test is one as well: Go is in it.
func TestAProgramNamesWhatItIsMadeOf(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	if err := run(&said, []string{program, program}); err != nil {
		t.Fatal(err)
	}
	if strings.Count(said.String(), "\nGo go1.") != 1 || !strings.Contains(said.String(), "The Go Authors") {
		t.Errorf("this is said of Go:\n%s", &said)
	}
	if err := run(&said, []string{"main.go"}); err == nil || !strings.Contains(err.Error(), "main.go") {
		t.Errorf("of what is no program this is said: %v", err)
	}
}

func TestAllNoticesOfAModuleAreFound(t *testing.T) {
	folder := t.TempDir()
	if _, err := notices(folder); err == nil || !strings.Contains(err.Error(), folder) {
		t.Errorf("of a module without a licence this is said: %v", err)
	}
	for _, name := range []string{
		"LICENSE", "NOTICE.txt", "Licence-MIT", "COPYING", "PATENTS", "README.md", "license.go", "licenses.csv",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("\r\n"+name+"\r\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := notices(folder)
	if want := "COPYING\n\nLICENSE\n\nLicence-MIT\n\nNOTICE.txt\n\nPATENTS"; err != nil || text != want {
		t.Errorf("the notices are %q (%v), want %q", text, err, want)
	}
}

func TestModulesAreFoundWhereGoKeepsThem(t *testing.T) {
	if got := escaped("github.com/Azure/go-ANSI"); got != "github.com/!azure/go-!a!n!s!i" {
		t.Errorf("it is looked for in %s", got)
	}
}
