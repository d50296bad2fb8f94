package manual

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Shell plays passages as a person types them.
type Shell struct {
	Folder      string
	Environment []string          // beside that of the test
	Words       map[string]string // what stands for what in the documents
	played      map[string]bool
}

// Play has bash carry out a passage, unless it has done so before, and tells what was said. A command that is only
// named is asked for its help.
func (s *Shell) Play(ctx context.Context, p Passage) (said string, err error) {
	script := p.Script
	if p.Named() {
		script = strings.TrimSpace(script) + " --help\n"
	}
	var pairs []string
	for from, to := range s.Words {
		pairs = append(pairs, from, to)
	}
	script = strings.NewReplacer(pairs...).Replace(script)
	if s.played[script] && !p.Fenced {
		return "", nil
	}
	if s.played == nil {
		s.played = map[string]bool{}
	}
	s.played[script] = true
	bash := exec.CommandContext(ctx, "bash", "-euxo", "pipefail", "-c", script)
	bash.Dir, bash.Env = s.Folder, append(os.Environ(), s.Environment...)
	output, err := bash.CombinedOutput()
	if err != nil {
		return string(output), fmt.Errorf("%s (%s): %w\n%s", p.Where(), p.Heading, err, output)
	}
	return string(output), nil
}
