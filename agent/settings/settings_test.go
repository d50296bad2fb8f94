package settings

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/takt-dev/takt/agent/contract"
)

func nothing(string) (string, bool) { return "", false }

func environment(of map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, set := of[name]
		return value, set
	}
}

func TestTheFirstWhoSaysAnythingCounts(t *testing.T) {
	for name, test := range map[string]struct {
		flags, environment, annotations map[string]string
		want                            time.Duration
	}{
		"nobody":         {want: contract.BarrierWithin},
		"the annotation": {nil, nil, map[string]string{contract.BarrierWithinAnnotation: "1m"}, time.Minute},
		"the environment": {nil, map[string]string{"TAKT_BARRIER_WITHIN": "2m"},
			map[string]string{contract.BarrierWithinAnnotation: "1m"}, 2 * time.Minute},
		"the flag": {map[string]string{"barrier-within": "180"},
			map[string]string{"TAKT_BARRIER_WITHIN": "2m"}, nil, 3 * time.Minute},
		"the operator": {nil, map[string]string{contract.LetInWithinVariable: "35m0s"}, nil, 35 * time.Minute},
		"the operator, which is quick": {nil, map[string]string{contract.LetInWithinVariable: "1m"}, nil,
			contract.BarrierWithin},
		"the annotation before the operator": {nil, map[string]string{contract.LetInWithinVariable: "35m"},
			map[string]string{contract.BarrierWithinAnnotation: "1m"}, time.Minute},
		"an empty environment": {nil, map[string]string{"TAKT_BARRIER_WITHIN": ""},
			map[string]string{contract.BarrierWithinAnnotation: "1m"}, time.Minute},
		"a flag that says no": {map[string]string{"barrier-within": ""}, map[string]string{"TAKT_BARRIER_WITHIN": "2m"},
			nil, contract.BarrierWithin},
		"one that makes no sense": {map[string]string{"barrier-within": "soon"}, nil, nil, contract.BarrierWithin},
	} {
		t.Run(name, func(t *testing.T) {
			got, wrong := Sources{test.flags, environment(test.environment), test.annotations}.Read()
			if got.BarrierWithin != test.want || (len(wrong) > 0) != (name == "one that makes no sense") {
				t.Errorf("it is %s (%v), want %s", got.BarrierWithin, wrong, test.want)
			}
		})
	}
}

func TestAllOfThemAreRead(t *testing.T) {
	got, wrong := Sources{
		Flags: map[string]string{"checkpoint-pattern": "^saved ", "local": "false"},
		Environment: environment(map[string]string{
			contract.EpochVariable: "3", contract.IndexVariable: "2", contract.GraceVariable: "30s",
			"TAKT_ANNOTATIONS_FILE": "/pod/annotations",
		}),
		Annotations: map[string]string{
			contract.PortAnnotation: "9000", contract.SaveSignalAnnotation: "usr1", contract.SaveFileAnnotation: "/data/save",
			contract.CheckpointPathAnnotation: "/data/c-*", contract.ProgressFileAnnotation: "/data/progress",
		},
	}.Read()
	if len(wrong) > 0 {
		t.Error(wrong)
	}
	if got.Epoch != 3 || got.Index != 2 || got.Grace != 30*time.Second || got.Port != 9000 ||
		got.Save.Signal != syscall.SIGUSR1 || got.Save.File != "/data/save" || got.CheckpointPath != "/data/c-*" ||
		!got.CheckpointPattern.MatchString("saved x") ||
		got.ProgressFile != "/data/progress" || got.Local {
		t.Errorf("got %+v", got)
	}
	named := map[string]string{"TAKT_ANNOTATIONS_FILE": "/pod/annotations"}
	file := Sources{Environment: environment(named)}.AnnotationsFile()
	if file != "/pod/annotations" || (Sources{Environment: nothing}).AnnotationsFile() != contract.AnnotationsFile {
		t.Errorf("the annotations are in %s", file)
	}
}

func TestTheCommandIsTakenFromTheFlags(t *testing.T) {
	for name, test := range map[string]struct {
		args, command []string
		flags         map[string]string
		unknown       int
	}{
		"after the dashes": {[]string{"--port=1", "--", "python", "--port=2", "--"},
			[]string{"python", "--port=2", "--"}, map[string]string{"port": "1"}, 0},
		"without any":           {[]string{"python", "train.py"}, []string{"python", "train.py"}, map[string]string{}, 0},
		"after unknown ones":    {[]string{"--prot=1", "--x", "--", "python"}, []string{"python"}, map[string]string{}, 2},
		"a command with dashes": {[]string{"--", "--odd"}, []string{"--odd"}, map[string]string{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			flags, command, unknown, err := Split(test.args)
			if err != nil || !slices.Equal(command, test.command) || !maps.Equal(flags, test.flags) ||
				len(unknown) != test.unknown {
				t.Errorf("got %q, %q, %v and %v", flags, command, unknown, err)
			}
		})
	}
	for _, args := range [][]string{nil, {"--"}, {"--port=1"}, {""}} {
		if _, _, _, err := Split(args); !errors.Is(err, ErrNoCommand) {
			t.Errorf("%q is %v", strings.Join(args, " "), err)
		}
	}
}

// Kubernetes tells each pod of the Services in its namespace: one that is called takt comes by as TAKT_PORT.
func TestAServiceOfTheNameIsNoSetting(t *testing.T) {
	got, wrong := Sources{
		Environment: environment(map[string]string{"TAKT_PORT": "tcp://10.96.0.7:8080", contract.PodVariable: "0f-1"}),
		Annotations: map[string]string{contract.PortAnnotation: "9000"},
	}.Read()
	if len(wrong) > 0 || got.Port != 9000 || got.Pod != "0f-1" {
		t.Errorf("got %+v, %v", got, wrong)
	}
	_, wrong = Sources{Environment: environment(map[string]string{contract.PodVariable: "a b"})}.Read()
	if len(wrong) != 1 {
		t.Error("anything is the UID of a pod")
	}
}

// Whatever a job says, in whichever of the three ways, the training starts with settings that make sense, and each that
// does not is named.
func FuzzRead(f *testing.F) {
	for _, one := range all {
		f.Add(one.name, "1", "")
	}
	f.Add("barrier-within", "9223372036854775807h", "-1s")
	f.Add("grace", "4294967296", "")
	f.Add("port", "65536", "+80")
	f.Add("checkpoint-pattern", "(", ".*")
	f.Add("save-signal", "SIGKILL", "sigusr2")
	f.Fuzz(func(t *testing.T, name, flag, written string) {
		variable := "TAKT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		for way, sources := range map[string]Sources{
			"flag":        {Flags: map[string]string{name: flag}, Environment: nothing},
			"environment": {Environment: environment(map[string]string{variable: flag})},
			"annotation":  {Environment: nothing, Annotations: map[string]string{"takt.dev/" + name: written}},
		} {
			got, wrong := sources.Read()
			if got.BarrierWithin <= 0 || got.Grace < 0 || got.Port < 0 || got.Port > 65535 {
				t.Errorf("the %s %s=%q gives %+v", way, name, flag, got)
			}
			for _, path := range []string{got.Save.File, got.CheckpointPath, got.ProgressFile} {
				if path != "" && !strings.HasPrefix(path, "/") {
					t.Errorf("the %s %s=%q gives the path %q", way, name, flag, path)
				}
			}
			if got.Save.Signal != 0 && got.Save.Signal != syscall.SIGUSR1 && got.Save.Signal != syscall.SIGUSR2 {
				t.Errorf("the %s %s=%q has the training sent %v", way, name, flag, got.Save.Signal)
			}
			if p := got.CheckpointPattern; p != nil && p.MatchString("") {
				t.Errorf("the %s %s=%q takes every line for a checkpoint", way, name, flag)
			}
			if len(wrong) > 1 || len(wrong) == 1 && !strings.Contains(wrong[0].Error(), "is of no use and is left out: ") {
				t.Errorf("of the %s %s=%q is said: %v", way, name, flag, wrong)
			}
		}
	})
}

// Whatever the words are, the command is the end of them, and nothing of it is taken for a flag.
func FuzzSplit(f *testing.F) {
	f.Add("--port=1\n--\npython\n--port=2")
	f.Add("--x\n--epoch\ntorchrun")
	f.Add("--\n")
	f.Fuzz(func(t *testing.T, text string) {
		args := strings.Split(text, "\n")
		flags, command, unknown, err := Split(args)
		if err != nil {
			if command != nil || !errors.Is(err, ErrNoCommand) {
				t.Errorf("of %q the command is %q, and it is said: %v", args, command, err)
			}
			return
		}
		before := args[:len(args)-len(command)]
		if !slices.Equal(command, args[len(before):]) || len(before) < len(flags)+len(unknown) {
			t.Errorf("%q has the command %q, the flags %q, and the unknown ones %v", args, command, flags, unknown)
		}
	})
}
