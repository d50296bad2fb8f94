package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/takt-dev/takt/simulator"
)

// trace is a published trace on a cluster of some size.
type trace struct {
	name string
	gpus int
}

// stock are the traces on the clusters that their authors ran them on.
var stock = []trace{
	{"cluster01", 512}, {"cluster02", 512}, {"cluster05", 512}, {"cluster07", 1024}, {"cluster10", 256}, {"t4-195", 64},
}

// contended are traces on fewer GPUs.
var contended = []trace{{"t4-195", 32}, {"cluster05", 64}, {"cluster05", 32}, {"cluster01", 64}}

func (t trace) String() string { return fmt.Sprintf("%s on %d GPUs", t.name, t.gpus) }

// flags name a trace on the command line, relative to the folder with the data.
func (t trace) flags(data string) []string {
	return []string{
		"--trace", data + "/elasticflow/traces/" + t.name + ".csv",
		"--throughputs", data + "/elasticflow/throughputs/" + t.kind(),
		"--gpus", strconv.Itoa(t.gpus), "--gpus-per-node", strconv.Itoa(t.perNode()),
	}
}

// small says that the trace is of the small cluster, whose nodes have four GPUs of an older kind.
func (t trace) small() bool { return strings.HasPrefix(t.name, "t4") }

func (t trace) kind() string {
	if t.small() {
		return "T4"
	}
	return "A100"
}

func (t trace) perNode() int {
	if t.small() {
		return 4
	}
	return 8
}

// sim runs takt sim, and returns the results in the order of the policies, and the most memory that
// it took.
func (b *bench) sim(ctx context.Context, t trace, flags ...string) ([]simulator.Result, int64, error) {
	args := append(append([]string{"sim"}, t.flags(b.data)...), flags...)
	var results []simulator.Result
	memory, err := b.run(ctx, &results, args...)
	return results, memory, err
}

// asking runs takt sim with jobs that wait until their deadlines are promised.
func (b *bench) asking(ctx context.Context, t trace, flags ...string) (simulator.Result, error) {
	results, _, err := b.sim(ctx, t, append(flags, "--policy", "takt", "--guarantee", "promise")...)
	if err != nil {
		return simulator.Result{}, err
	}
	return last(results), nil
}

// askingProse says what the columns of asking are.
const askingProse = "The column \"takt, promise\" is of the same command with `--policy takt --guarantee promise`: " +
	"jobs wait until their deadlines are promised; in brackets, how many were late all the same."

func (b *bench) sayAsking() { b.say("%s", askingProse) }

// asked is a cell of such a column.
func asked(r simulator.Result) string { return fmt.Sprintf("%.3f (%d)", r.MetRatio, r.LateAfter) }

// run runs a command of takt and reads the JSON that it prints.
func (b *bench) run(ctx context.Context, into any, args ...string) (memory int64, err error) {
	cmd := exec.CommandContext(ctx, b.takt, append(args, "-o", "json")...)
	cmd.Stderr = os.Stderr
	fmt.Fprintln(os.Stderr, "takt", strings.Join(args, " "))
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", cmd, err)
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		memory = usage.Maxrss * 1024
	}
	return memory, json.Unmarshal(out, into)
}

// command shows how a row of a table is made.
func (b *bench) command(args ...string) {
	b.say("```\ntakt %s\n```", strings.Join(args, " "))
}

// simCommand is command for a simulation of the trace TRACE.
func (b *bench) simCommand(flags string) {
	b.command("sim --trace $DATA/elasticflow/traces/TRACE.csv --throughputs $DATA/elasticflow/throughputs/A100 \\\n  " +
		"--gpus N " + flags)
}
