package agent

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What the agent takes of a processor while a training prints, each line at once and each in a write of its own. The
// processor time is the kernel's own account of the process.
func BenchmarkOverhead(b *testing.B) {
	for _, perSecond := range []int{0, 10, 1000, 50000} {
		b.Run(fmt.Sprintf("%d lines a second", perSecond), func(b *testing.B) {
			const span = 5 * time.Second
			var used, wall time.Duration
			for b.Loop() {
				agent := exec.CommandContext(b.Context(), self(b), "exec", "--port=0", "--", self(b), "flood",
					fmt.Sprint(perSecond), span.String())
				var last tail
				agent.Stdout = &last
				began := time.Now()
				if err := agent.Run(); err != nil {
					b.Fatal(err)
				}
				wall += time.Since(began)
				// The account of a process has in it that of the children that it has waited for.
				training, err := time.ParseDuration(strings.TrimSpace(string(last.line)))
				if err != nil {
					b.Fatal(err)
				}
				used += agent.ProcessState.UserTime() + agent.ProcessState.SystemTime() - training
				usage := agent.ProcessState.SysUsage().(*syscall.Rusage)
				b.ReportMetric(float64(usage.Maxrss)/1024, "MiB")
			}
			b.ReportMetric(100*float64(used)/float64(wall), "%CPU")
		})
	}
}

// tail keeps the last line that is written.
type tail struct{ line []byte }

func (t *tail) Write(text []byte) (int, error) {
	t.line = append(t.line, text...)
	if at := bytes.LastIndexByte(bytes.TrimSuffix(t.line, []byte("\n")), '\n'); at >= 0 {
		t.line = append(t.line[:0], t.line[at+1:]...)
	}
	return len(text), nil
}
