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
			contract.EpochVariable: "3", contract.GraceVariable: "30s", "TAKT_ANNOTATIONS_FILE": "/pod/annotations",
		}),
		Annotations: map[string]string{
			contract.PortAnnotation: "9000", contract.SaveSignalAnnotation: "usr1", contract.SaveFileAnnotation: "/data/save",
			contract.CheckpointPathAnnotation: "/data/c-*", contract.ProgressFileAnnotation: "/data/progress",
		},
	}.Read()
	if len(wrong) > 0 {
		t.Error(wrong)
	}
	if got.Epoch != 3 || got.Grace != 30*time.Second || got.Port != 9000 || got.Save.Signal != syscall.SIGUSR1 ||
		got.Save.File != "/data/save" || got.CheckpointPath != "/data/c-*" || !got.CheckpointPattern.MatchString("saved x") ||
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
