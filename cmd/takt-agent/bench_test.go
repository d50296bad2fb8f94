package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The binary of the tests is a training as well, which prints.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "flood" {
		flood(os.Args[2], os.Args[3])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// What the agent takes of a processor while a training prints, each line at once and each in a write of its own. The
// processor time is the kernel's own account of the process. It is the whole program, which reads in the lines how far
// the training is.
func BenchmarkOverhead(b *testing.B) {
	program := build(b)
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for _, perSecond := range []int{0, 10, 1000, 50000} {
		b.Run(fmt.Sprintf("%d lines a second", perSecond), func(b *testing.B) {
			const span = 5 * time.Second
			var used, wall time.Duration
			for b.Loop() {
				agent := exec.CommandContext(b.Context(), program, "exec", "--port=0", "--", self, "flood",
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

// flood prints so many lines a second, for so long, and each is written at once. Its last line is the processor time
// that it has taken itself.
func flood(perSecond, span string) {
	rate, _ := strconv.Atoi(perSecond)
	length, _ := time.ParseDuration(span)
	const tick = time.Millisecond
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	written := 0
	for began := time.Now(); ; {
		now := <-ticks.C
		due := int(float64(rate) * now.Sub(began).Seconds())
		for ; written < due; written++ {
			fmt.Printf("Epoch %d/1000: step %d/1000 loss 0.12345 lr 0.0001 throughput 123.4 samples/s\n", written/1000,
				written%1000)
		}
		if now.Sub(began) > length {
			break
		}
	}
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	fmt.Println(time.Duration(usage.Utime.Nano() + usage.Stime.Nano()))
}
