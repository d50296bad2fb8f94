package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestTheFirstOnEachWayDownAreSignalled(t *testing.T) {
	const usr1, none = "0000000000000200", "0000000000000000"
	const everything = "000000007ffbfeff" // as an init has it that forwards all signals
	for name, test := range map[string]struct {
		processes map[int][2]string // parent and what is caught, by number
		want      []int
	}{
		"the command itself": {map[int][2]string{1: {"0", usr1}, 7: {"1", usr1}, 8: {"7", none}}, []int{7}},
		"workers below a launcher": {map[int][2]string{7: {"1", none}, 8: {"7", usr1}, 9: {"7", usr1}, 10: {"8", usr1}},
			[]int{8, 9}},
		"below an init that forwards all": {map[int][2]string{7: {"1", everything}, 8: {"7", none}, 9: {"8", usr1}},
			[]int{9}},
		"an init, and nobody else":  {map[int][2]string{7: {"1", everything}, 8: {"7", none}}, []int{7}},
		"nobody":                    {map[int][2]string{7: {"1", none}, 8: {"7", none}}, nil},
		"not those beside":          {map[int][2]string{7: {"1", none}, 8: {"1", usr1}}, nil},
		"the command is gone":       {map[int][2]string{8: {"7", usr1}}, nil},
		"nobody, in a circle of it": {map[int][2]string{7: {"8", none}, 8: {"7", none}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			proc := t.TempDir()
			for pid, p := range test.processes {
				folder := filepath.Join(proc, fmt.Sprint(pid))
				text := fmt.Sprintf("Name:\tpython\nPPid:\t%s\nSigIgn:\tffffffffffffffff\nSigCgt:\t%s\n", p[0], p[1])
				if err := os.Mkdir(folder, 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(folder, "status"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got := familyIn(proc).catchers(syscall.SIGUSR1, 7)
			slices.Sort(got)
			if !slices.Equal(got, test.want) {
				t.Errorf("%v are signalled, want %v", got, test.want)
			}
		})
	}
}

func TestLaunchersAreKnownByTheirCommandLine(t *testing.T) {
	for line, want := range map[string]bool{
		"/usr/bin/python3 /usr/local/bin/torchrun --nnodes=1:4 train.py": true,
		"torchrun train.py": true,
		"python3 -u -m torch.distributed.run --nnodes 1:4 train.py":       true,
		"python -m torch.distributed.launch train.py":                     true,
		"/opt/conda/bin/python /opt/conda/bin/accelerate launch train.py": true,
		"/usr/bin/python3.13 -W ignore -u /usr/bin/torchrun train.py":     true,
		"python -m accelerate.commands.launch train.py":                   true,
		"accelerate config":                       false,
		"python3 train.py --launcher torchrun.py": false,
		"python3 train.py torchrun":               false,
		"bash -c cd/code&&torchrun/train.py":      false,
		"sh -c wait sh torchrun train.py":         false,
		"python3":                                 false,
		"":                                        false,
	} {
		if got := launches(strings.Fields(line)); got != want {
			t.Errorf("%q launches: %v", line, got)
		}
	}
}

// An init that is told to end has those end that it has started, and knows best how.
func TestAnInitIsToldToEnd(t *testing.T) {
	f := family{all: map[int]status{7: {caught: 0x7ffbfeff}, 8: {parent: 7, caught: 1 << (syscall.SIGTERM - 1)}},
		children: map[int][]int{1: {7}, 7: {8}}}
	if got := f.heirs(1); !slices.Equal(got, []int{7}) {
		t.Errorf("%v are told to end", got)
	}
}

// gVisor tells in /proc/PID/status neither which signals a process catches nor its process group (google/gvisor#14500).
// A signal that may end a training is sent to nobody there, and all are told to end that the command has left behind.
func TestWhereNobodyTellsWhatIsCaught(t *testing.T) {
	proc := t.TempDir()
	for pid, parent := range map[int]int{1: 0, 7: 1, 8: 7, 9: 1} {
		folder := filepath.Join(proc, fmt.Sprint(pid))
		state := "S (sleeping)"
		if pid == 9 {
			state = "Z (zombie)"
		}
		for file, text := range map[string]string{
			"status": fmt.Sprintf("Name:\tpython\nState:\t%s\nPid:\t%d\nPPid:\t%d\nThreads:\t1\n", state, pid, parent),
			"stat":   fmt.Sprintf("%d (a (b) c) S %d %d 1 0 0 0 0\n", pid, parent, 100+pid),
		} {
			if err := errors.Join(os.MkdirAll(folder, 0o700),
				os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	f := familyIn(proc)
	if got := f.catchers(syscall.SIGUSR1, 7); len(got) > 0 || !f.all[7].hidden {
		t.Errorf("%v are signalled; that nobody tells is known: %v", got, f.all[7].hidden)
	}
	if got := f.heirs(1); !slices.Equal(got, []int{7}) {
		t.Errorf("%v are told to end", got)
	}
	if got := f.all[8].group; got != 108 {
		t.Errorf("its process group is taken to be %d", got)
	}
}
