package agent

import (
	"os"
	"sync"
	"time"

	"github.com/takt-dev/takt/agent/known"
	"github.com/takt-dev/takt/agent/output"
	"github.com/takt-dev/takt/agent/process"
)

// lastOutput is how long what a training has written last is passed on after its end, at most.
const lastOutput = 10 * time.Second

// streams are the outputs of a training that are read on their way. A terminal is none: what writes to one behaves
// otherwise than what writes to a pipe.
type streams struct {
	execution *execution
	tap       *output.Tap
	read      []*output.Stream
	theirs    []*os.File
	copied    sync.WaitGroup
}

// pipes makes the pipes that the training writes to. Where that fails it writes as it would without the agent.
func (e *execution) pipes() (*streams, process.Outputs, error) {
	s := &streams{execution: e, tap: output.NewTap(2)}
	files := e.options.Files
	for i, file := range []**os.File{&files.Out, &files.Err} {
		if *file == nil || isDevice(*file) {
			continue
		}
		read, write, err := output.Pipe()
		if err != nil {
			return s, files, err
		}
		name := []string{"output", "standard error"}[i]
		stream := &output.Stream{Index: i, From: read, To: *file, Tap: s.tap, Failed: func(err error) {
			e.say("The %s of the training cannot be passed on any more (%v). The training goes on without.", name, err)
		}}
		if file == &files.Err { // where sentences are said
			stream.Within = &e.within
		}
		s.read = append(s.read, stream)
		s.theirs, *file = append(s.theirs, write), write
	}
	return s, files, nil
}

func isDevice(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// started closes what only the training writes to.
func (s *streams) started() {
	for _, file := range s.theirs {
		_ = file.Close()
	}
}

// copy passes on what the training writes, and looks at it.
func (s *streams) copy(command []string, ended <-chan struct{}) {
	for _, stream := range s.read {
		stream.Finished = ended
		s.copied.Go(stream.Copy)
	}
	e := s.execution
	s.tap.Look, s.tap.Count = e.look(command), e.run.Printed
	s.tap.Failed = func(err error) { e.say("%s. Its progress is not found there any more.", sentence(err)) }
	go s.tap.Run()
}

// look gives what is done with each line.
func (e *execution) look(command []string) func(line []byte, overwritten bool) {
	var printed output.Printed
	if e.options.Printed != nil {
		printed = e.options.Printed(Training{Command: command, Environment: e.options.Environment, Saved: e.savedAsPrinted,
			Progress: func(done, total float64, unit string) {
				count := known.Count{Done: done, Total: total, Unit: unit, At: time.Now()}
				// What makes no sense was found by mistake, and nobody can mend it.
				_ = e.run.Told(known.Output, count.Within())
			}, OfPart: func() { e.run.Forget(known.Output) }})
	}
	pattern := e.settings.CheckpointPattern
	return func(line []byte, overwritten bool) {
		if pattern != nil && !overwritten && pattern.Match(line) {
			e.run.Saved(time.Now())
		}
		if printed != nil {
			printed.Line(line, overwritten)
		}
	}
}

// savedAsPrinted takes that the training says that it has saved its state. A job that names its checkpoints knows
// better.
func (e *execution) savedAsPrinted(at time.Time) {
	if e.settings.CheckpointPath == "" && e.settings.CheckpointPattern == nil {
		e.run.SavedAsPrinted(at)
	}
}

// finish passes on what the training has written last.
func (s *streams) finish() {
	for _, stream := range s.read {
		stream.From.End()
	}
	done := make(chan struct{})
	go func() {
		s.copied.Wait()
		close(done)
	}()
	limit := time.NewTimer(lastOutput)
	defer limit.Stop()
	select {
	case <-done:
		s.tap.Close()
	case <-limit.C:
		s.execution.say("The last output of the training is not taken by whoever reads it, and is lost.")
	}
}
