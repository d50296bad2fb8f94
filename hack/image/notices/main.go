// Command notices prints the licences and notices of all that programs are made of, as those ask who let it be given
// away: of each module that a program says is in it, and of Go itself.
//
//	go run ./hack/image/notices PROGRAM…
package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(to io.Writer, programs []string) error {
	if len(programs) == 0 {
		return fmt.Errorf("name the programs that it is about")
	}
	folders, err := where()
	if err != nil {
		return err
	}
	sources := map[string]string{}
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return err
		}
		sources["Go "+info.GoVersion] = folders.root
		for _, module := range info.Deps {
			if module.Replace != nil {
				module = module.Replace
			}
			if !strings.HasPrefix(module.Path, ".") { // a part of this repository
				sources[module.Path+" "+module.Version] = filepath.Join(folders.modules,
					escaped(module.Path)+"@"+escaped(module.Version))
			}
		}
	}
	// Many have the same text, which is printed once.
	names := map[string][]string{}
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		text, err := notices(sources[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if names[text] == nil {
			texts = append(texts, text)
		}
		names[text] = append(names[text], name)
	}
	for _, text := range texts {
		if _, err := fmt.Fprintf(to, "%s\n%s\n\n%s\n\n", strings.Repeat("=", 80), strings.Join(names[text], "\n"),
			strings.TrimSpace(text)); err != nil {
			return err
		}
	}
	return nil
}

// folders are where Go keeps its own sources, and those of modules.
type folders struct{ root, modules string }

func where() (folders, error) {
	said, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE").Output() //nolint:noctx // it takes no time
	if err != nil {
		return folders{}, fmt.Errorf("go env: %w", err)
	}
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	return folders{lines[0], lines[1]}, nil
}

// escaped is how a path is written in the folder of modules, whose names do not depend on case.
func escaped(path string) string {
	var to strings.Builder
	for _, letter := range path {
		if unicode.IsUpper(letter) {
			to.WriteRune('!')
		}
		to.WriteRune(unicode.ToLower(letter))
	}
	return to.String()
}

var notice = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice|patents)([._-].*)?$`)

// notices are the texts of all files of a folder that are licences or notices; there has to be one.
func notices(folder string) (string, error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, file := range files {
		if !file.Type().IsRegular() || !notice.MatchString(file.Name()) || strings.HasSuffix(file.Name(), ".go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			return "", err
		}
		texts = append(texts, string(bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))))
	}
	if len(texts) == 0 {
		return "", fmt.Errorf("there is no licence in %s", folder)
	}
	return strings.Join(texts, "\n\n"), nil
}
