package settings

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/save"
)

// Settings are what was said, or what holds where nothing was.
type Settings struct {
	Epoch             int64         // 0 if it is not known
	Index             int           // of the worker; -1 if it is not known
	Pod               string        // its UID; empty if it is not known
	Grace             time.Duration // 0 if it is not known
	BarrierWithin     time.Duration
	Port              int
	Save              save.Way
	CheckpointPath    string
	CheckpointPattern *regexp.Regexp // nil for none
	ProgressFile      string
	Local             bool // whether there is a local endpoint
}

// setting is one of them: where it is said, and what it says.
type setting struct {
	name       string // as a flag; in the environment TAKT_NAME
	annotation string // empty if it is none
	set        func(*Settings, string) error
}

var uid = regexp.MustCompile(`^[0-9a-zA-Z-]{1,64}$`)

const annotationsFile = "annotations-file"

var all = []setting{
	{name: annotationsFile, set: func(*Settings, string) error { return nil }}, // see AnnotationsFile
	{name: "epoch", set: func(s *Settings, text string) (err error) {
		s.Epoch, err = strconv.ParseInt(text, 10, 64)
		return plain(err)
	}},
	{name: "index", set: func(s *Settings, text string) error {
		index, err := strconv.ParseUint(text, 10, 31)
		s.Index = int(index)
		return plain(err)
	}},
	{name: "pod", set: func(s *Settings, text string) error {
		if !uid.MatchString(text) {
			return errors.New("it is no UID of a pod")
		}
		s.Pod = text
		return nil
	}},
	{name: "grace", set: func(s *Settings, text string) error { return span(&s.Grace, text) }},
	{name: "let-in-within", set: func(s *Settings, text string) error { // what the job says counts before that
		var within time.Duration
		err := span(&within, text)
		s.BarrierWithin = max(s.BarrierWithin, within)
		return err
	}},
	{name: "barrier-within", annotation: contract.BarrierWithinAnnotation, set: func(s *Settings, text string) error {
		return span(&s.BarrierWithin, text)
	}},
	{name: "port", annotation: contract.PortAnnotation, set: func(s *Settings, text string) error {
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			return errors.New("a port is a number up to 65535")
		}
		s.Port = int(port)
		return nil
	}},
	{name: "save-signal", annotation: contract.SaveSignalAnnotation, set: func(s *Settings, text string) (err error) {
		s.Save.Signal, err = save.ParseSignal(text)
		return err
	}},
	{name: "save-file", annotation: contract.SaveFileAnnotation, set: func(s *Settings, text string) error {
		return absolute(&s.Save.File, text)
	}},
	{name: "checkpoint-path", annotation: contract.CheckpointPathAnnotation, set: func(s *Settings, text string) error {
		return absolute(&s.CheckpointPath, text)
	}},
	{name: "checkpoint-pattern", annotation: contract.CheckpointPatternAnnotation,
		set: func(s *Settings, text string) error {
			pattern, err := regexp.Compile(text)
			if err != nil {
				return err
			}
			if pattern.MatchString("") {
				return errors.New("it matches every line")
			}
			s.CheckpointPattern = pattern
			return nil
		}},
	{name: "progress-file", annotation: contract.ProgressFileAnnotation, set: func(s *Settings, text string) error {
		return absolute(&s.ProgressFile, text)
	}},
	{name: "local", set: func(s *Settings, text string) (err error) {
		s.Local, err = strconv.ParseBool(text)
		return plain(err)
	}},
}

// Sources are where settings are said.
type Sources struct {
	Flags       map[string]string
	Environment func(string) (string, bool)
	Annotations map[string]string
}

// AnnotationsFile is where the annotations of the pod are, which can hardly be said by one of them.
func (s Sources) AnnotationsFile() string {
	if path, _ := s.find(setting{name: annotationsFile}); path != "" {
		return path
	}
	return contract.AnnotationsFile
}

// find gives what is said of a setting, and where.
func (s Sources) find(one setting) (text, where string) {
	if text, said := s.Flags[one.name]; said {
		return text, "--" + one.name
	}
	variable := "TAKT_" + strings.ToUpper(strings.ReplaceAll(one.name, "-", "_"))
	// A Service called takt puts its address into the same variable.
	if text, said := s.Environment(variable); said && text != "" && !strings.HasPrefix(text, "tcp://") {
		return text, variable
	}
	if one.annotation != "" {
		return s.Annotations[one.annotation], one.annotation
	}
	return "", ""
}

// Read reads all settings. One that makes no sense is named, and holds as if it had not been said: a training
// does not stand still for it.
func (s Sources) Read() (Settings, []error) {
	read := Settings{Index: -1, BarrierWithin: contract.BarrierWithin, Port: contract.Port, Local: true}
	var wrong []error
	for _, one := range all {
		text, where := s.find(one)
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		before := read
		if err := one.set(&read, text); err != nil {
			read = before
			wrong = append(wrong, fmt.Errorf("%s is %q, which is of no use and is left out: %w", where, text, err))
		}
	}
	return read, wrong
}

func span(to *time.Duration, text string) error {
	d, err := time.ParseDuration(text)
	if seconds, plain := strconv.ParseUint(text, 10, 31); plain == nil {
		d, err = time.Duration(seconds)*time.Second, nil
	}
	if err != nil || d <= 0 {
		return errors.New("a span is written as 30s or 15m")
	}
	*to = d
	return nil
}

func absolute(to *string, text string) error {
	if !strings.HasPrefix(text, "/") {
		return errors.New("give the whole path, from / on")
	}
	*to = text
	return nil
}

func plain(err error) error {
	if err == nil {
		return nil
	}
	return errors.Unwrap(err)
}
