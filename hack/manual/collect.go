package manual

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Passage is what a document tells people to type in one go.
type Passage struct {
	File    string // from the root of the repository, with slashes
	Heading string // the last one before it
	Line    int
	Script  string // as a shell takes it; each line ends with a newline
	Fenced  bool   // it is a block, and not within a sentence
}

// Command is the passage on one line, as it is told in messages.
func (p Passage) Command() string { return strings.ReplaceAll(strings.TrimSpace(p.Script), "\n", "; ") }

var (
	fence = regexp.MustCompile("^ *```([a-z]*)$")
	title = regexp.MustCompile(`^#+ (.*)$`)
	// first is how the first command of a block begins that is to be typed.
	first = regexp.MustCompile(`^(\$ |[A-Z_]+=|(sudo |\./|bin/)?(kubectl|takt(-[a-z]+)?|helm|make|localcluster|go|pip|` +
		`docker|podman|crane|sha256sum|export|ln|cd|curl|git|python3?)( |$)|bin/)`)
	// within is a command in a sentence: two words at least, as one alone is a name.
	within = regexp.MustCompile("`((?:sudo\\s+|[A-Z_]+=[^\\s`]+\\s+)*" +
		"(?:(?:kubectl|takt(?:-operator|-agent|-scheduler)?|helm|make|localcluster|" +
		"go\\s+(?:test|build|run|install)|apt-get|pip|python3?|docker|podman|crane|ctr|skopeo|" +
		"git|curl)\\s|(?:bin|hack)/[a-z/-]+\\s)[^`]*)`")
)

// shells are the languages of blocks that hold commands; a block that names none holds some if it begins like one.
var shells = map[string]bool{"sh": true, "bash": true, "shell": true, "console": true}

// Collect finds the passages of all Markdown files below a folder, in their order.
func Collect(root string) ([]Passage, error) {
	var all []Passage
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir():
			if path != root && (strings.HasPrefix(name, ".") || name == "bin" || name == "testdata") {
				return filepath.SkipDir
			}
		case strings.HasSuffix(name, ".md") && entry.Type().IsRegular():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			file, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			all = append(all, read(filepath.ToSlash(file), string(text))...)
		}
		return nil
	})
	return all, err
}

// read finds the passages of one file.
func read(file, text string) []Passage {
	var all []Passage
	heading, lines := "", strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if found := title.FindStringSubmatch(lines[i]); found != nil {
			heading = found[1]
		}
		opening := fence.FindStringSubmatch(lines[i])
		if opening == nil {
			end := i + 1
			for end < len(lines) && lines[end] != "" && !fence.MatchString(lines[end]) && !title.MatchString(lines[end]) {
				end++
			}
			for _, p := range inSentences(strings.Join(lines[i:end], "\n")) {
				p.File, p.Heading, p.Line = file, heading, p.Line+i+1
				all = append(all, p)
			}
			i = end - 1
			continue
		}
		begin := i + 1
		for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "```"; i++ {
		}
		block := lines[begin:min(i, len(lines))]
		if len(block) == 0 || !shells[opening[1]] && (opening[1] != "" || first.FindString(block[0]) == "") {
			continue
		}
		all = append(all, Passage{File: file, Heading: heading, Line: begin + 1, Script: typed(block), Fenced: true})
	}
	return all
}

// typed is what is to be typed of a block: all of it, or where it shows answers as well, what is behind the prompts.
func typed(block []string) string {
	if !strings.HasPrefix(block[0], "$ ") {
		return strings.Join(block, "\n") + "\n"
	}
	var script strings.Builder
	more := false
	for _, line := range block {
		command, prompted := strings.CutPrefix(line, "$ ")
		if prompted || more {
			script.WriteString(command + "\n")
			more = strings.HasSuffix(line, `\`)
		}
	}
	return script.String()
}

// inSentences finds the commands of a paragraph. Line counts from its beginning.
func inSentences(text string) []Passage {
	var all []Passage
	for _, at := range within.FindAllStringSubmatchIndex(text, -1) {
		command := strings.Join(strings.Fields(text[at[2]:at[3]]), " ")
		all = append(all, Passage{Line: strings.Count(text[:at[0]], "\n"), Script: command + "\n"})
	}
	return all
}
