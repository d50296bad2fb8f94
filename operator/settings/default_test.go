package settings

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/config/manager"
	"github.com/takt-dev/takt/elastic/resize"
)

func TestDefaultIsValid(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
}

func TestDefaultsOfTheCoreAreKept(t *testing.T) {
	if diff := cmp.Diff(resize.DefaultLimits(), Default().Limits()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := fmt.Sprint(Default().Planner(Default().Limits())); got != "{0.3333333333333333 10 2 720 120 120}" {
		t.Errorf("the planner is given %s", got)
	}
}

// Each field of the core's settings must be carried over: a new one that is forgotten would be zero.
func TestNothingOfTheCoreIsForgotten(t *testing.T) {
	for name, value := range map[string]reflect.Value{
		"Limits":  reflect.ValueOf(Default().Limits()),
		"Planner": reflect.ValueOf(Default().Planner(Default().Limits())),
	} {
		for field, value := range value.Fields() {
			if value.IsZero() {
				t.Errorf("%s leaves out %s", name, field.Name)
			}
		}
	}
}

// The agent waits at the start barrier for as long as a resize may take until new pods are let in.
func TestTheAgentIsToldOfWaitsThatItDoesNotExpect(t *testing.T) {
	s := Default()
	if within := s.AgentDefault().LetsInWithin; within > contract.BarrierWithin {
		t.Errorf("by default it takes %s, and the agent waits for %s by itself", within, contract.BarrierWithin)
	}
	s.Resizes.ReadyWithin.Duration = 30 * time.Minute
	if within := s.AgentDefault().LetsInWithin; within < s.Limits().PlaceWithin+30*time.Minute {
		t.Errorf("it is told to wait for %s", within)
	}
}

func TestDocumentedFileIsTheDefault(t *testing.T) {
	path := filepath.Join("..", "..", "config", "manager", "takt.yaml")
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Default(), got); diff != "" {
		t.Errorf("what %s says differs from the default, -want +got:\n%s", path, diff)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != manager.DefaultConfiguration {
		t.Error("the program prints another file")
	}
}

// every gives the keys of all settings, sections included, as a path.
func every(section reflect.Value, path string) []string {
	var all []string
	fields := keys(section)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		all = append(all, path+key)
		if isSection(fields[key].Type()) {
			all = append(all, every(fields[key], path+key+".")...)
		}
	}
	return all
}

func TestDocumentedFileHasEveryKey(t *testing.T) {
	var given map[string]any
	if err := yaml.Unmarshal([]byte(manager.DefaultConfiguration), &given); err != nil {
		t.Fatal(err)
	}
	all := every(reflect.ValueOf(Default()), "")
	if len(all) < 50 {
		t.Fatalf("these cannot be all keys: %v", all)
	}
	for _, key := range all {
		at := any(given)
		for part := range strings.SplitSeq(key, ".") {
			section, _ := at.(map[string]any)
			if _, ok := section[part]; !ok {
				t.Errorf("takt.yaml does not have %s", key)
				break
			}
			at = section[part]
		}
	}
}

func TestDocumentedFileExplainsEveryKey(t *testing.T) {
	isKey := regexp.MustCompile(`^ *[a-zA-Z]+:`)
	before := ""
	for line := range strings.Lines(manager.DefaultConfiguration) {
		explained := strings.HasPrefix(strings.TrimSpace(before), "#")
		if isKey.MatchString(line) && !explained && !strings.HasPrefix(line, "kind:") {
			t.Errorf("nothing explains %s", line)
		}
		before = line
	}
}
