package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/takt-dev/takt/operator/settings"
)

func TestLevelChoosesWhatIsLogged(t *testing.T) {
	for level, want := range map[int][]string{
		0: {"0", "error"},
		1: {"0", "1", "error"},
		2: {"0", "1", "2", "error"},
	} {
		var log bytes.Buffer
		logger := newLogger(settings.Log{Level: level, Format: settings.JSON}, &log)
		logger.Info("0")
		logger.V(1).Info("1")
		logger.V(2).Info("2")
		logger.Error(errors.New("reason"), "error")
		var got []string
		for line := range strings.Lines(log.String()) {
			var entry struct{ Level, TS, Msg, Error string }
			if err := json.Unmarshal([]byte(line), &entry); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if _, err := time.Parse(time.RFC3339Nano, entry.TS); err != nil {
				t.Error(err)
			}
			if isError := entry.Msg == "error"; isError != (entry.Level == "error") || isError != (entry.Error == "reason") {
				t.Errorf("the level or the error is wrong: %s", line)
			}
			got = append(got, entry.Msg)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("level %d, -want +got:\n%s", level, diff)
		}
	}
}

func TestConsoleIsForPeople(t *testing.T) {
	var log bytes.Buffer
	newLogger(settings.Log{Format: settings.Console}, &log).Info("Grown", "to", 4)
	if !strings.Contains(log.String(), "\tinfo\tGrown\t") {
		t.Errorf("it is %q", &log)
	}
}

func TestLibrariesLogTheSameWay(t *testing.T) {
	var log bytes.Buffer
	logEverythingTo(newLogger(settings.Log{Format: settings.JSON}, &log))
	defer klog.ClearLogger()
	klog.InfoS("From klog")
	ctrl.Log.Info("From controller-runtime")
	for _, want := range []string{`"msg":"From klog"`, `"msg":"From controller-runtime"`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%s is missing from %s", want, &log)
		}
	}
}

// said counts how often a value is written down.
type said struct{ times *int }

func (s said) String() string {
	*s.times++
	return "resnet"
}

func TestALoggerWritesDownWhatItSaysOnceItSaysALine(t *testing.T) {
	var log bytes.Buffer
	times := 0
	logger := newLogger(settings.Log{Format: settings.JSON}, &log).WithValues("job", said{&times}).WithName("reader").
		WithValues("epoch", 3)
	logger.V(1).Info("nothing that is logged")
	if times > 0 {
		t.Error("it has said no line, and writes down what it would say with it")
	}
	logger.Info("0")
	logger.WithValues("size", 4).Info("1")
	lines := slices.Collect(strings.Lines(log.String()))
	if len(lines) != 2 {
		t.Errorf("it has said %d lines, want 2", len(lines))
	}
	for i, line := range lines {
		if !strings.Contains(line, `"job":"resnet","epoch":3`) || !strings.Contains(line, `"logger":"reader"`) ||
			strings.Contains(line, `"size":4`) != (i == 1) {
			t.Errorf("line %d: %s", i, line)
		}
	}
}
