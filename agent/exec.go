package agent

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/takt-dev/takt/agent/known"
	"github.com/takt-dev/takt/agent/output"
	"github.com/takt-dev/takt/agent/podinfo"
	"github.com/takt-dev/takt/agent/process"
	"github.com/takt-dev/takt/agent/settings"
)

// ExitMisused is what the agent exits with where it has nothing to do.
const ExitMisused = 2

// exitDrained is what a training exits with that was to leave or to end, and has exited with 0: nobody shall take that
// for the success of its job. It is the exit of a process that SIGTERM has ended.
const exitDrained = process.FromSignal + int(syscall.SIGTERM)

// Options are what the agent has from its process.
type Options struct {
	// Args are the flags, --, and the command.
	Args        []string
	Environment []string
	Files       process.Outputs
	// ForgottenAfter is how long others count on a worker that tells them nothing; 0 is as long as torchrun does.
	ForgottenAfter time.Duration
	// First says that the agent is process 1, as the command would be without it.
	First bool
	// Printed makes what reads the output of the training. It may be nil.
	Printed func(Training) output.Printed
}

// Training is the command whose output is read, and whom it is told what is found there.
type Training struct {
	Command     []string
	Environment []string
	Progress    func(done, total float64, unit string)
	// OfPart takes that all that was told so far has turned out to count a part of the training alone.
	OfPart func()
	// Saved takes when the training has said that it has saved its state, once that is sure to be whole.
	Saved func(at time.Time)
}

// execution is the life of the agent around one command.
type execution struct {
	*voice
	options  Options
	settings settings.Settings
	file     *podinfo.File
	run      *known.Run
	signals  <-chan os.Signal
	command  *process.Command
	folder   string // for small files; empty if there is none
	// forgottenAfter is how long others count on a worker that tells them nothing.
	forgottenAfter time.Duration
	aside          aside
	// leaves says that the training is ended here, as it leaves others that go on.
	leaves bool
	// toldToEnd says that SIGTERM has come: the pod is deleted or evicted, or its node goes.
	toldToEnd bool
}

// Exec wraps a command until it ends, and gives what the container is to exit with.
func Exec(options Options) int {
	// From the first moment on: a signal that comes before anybody waits for it would end this process.
	signals := process.Signals()
	modest()
	e := &execution{voice: newVoice(options.Files.Err), options: options, run: known.NewRun(), signals: signals,
		forgottenAfter: cmp.Or(options.ForgottenAfter, forgottenAfter)}
	defer e.close()

	flags, words, unknown, err := settings.Split(options.Args)
	for _, flag := range unknown {
		e.say("%s.", sentence(flag))
	}
	if err != nil {
		e.say("%s.", sentence(err))
		return ExitMisused
	}
	e.read(flags)
	// A command that cannot be started fails now, and not when all others have been let in and wait for it.
	if _, err := process.Find(words[0]); err != nil {
		return e.notStarted(err)
	}
	e.serveMetrics()
	if exit, start := e.barrier().wait(); !start {
		return exit
	}
	return e.wrap(words)
}

// modest keeps the agent small beside a training that needs its processors, on machines with a hundred of them. One
// goroutine at a time is enough: those that wait in the kernel do not count, and none of the others holds the rest up
// for more than a moment.
func modest() {
	runtime.GOMAXPROCS(1)
	debug.SetMemoryLimit(64 << 20)
}

// read reads what the job says.
func (e *execution) read(flags map[string]string) {
	environment := map[string]string{}
	for _, variable := range e.options.Environment {
		if name, value, found := strings.Cut(variable, "="); found {
			environment[name] = value
		}
	}
	sources := settings.Sources{Flags: flags, Environment: func(name string) (string, bool) {
		value, set := environment[name]
		return value, set
	}}
	e.file = podinfo.NewFile(sources.AnnotationsFile())
	sources.Annotations, _ = e.file.Now() // the barrier says so if it is missing
	var wrong []error
	e.settings, wrong = sources.Read()
	for _, err := range wrong {
		e.say("%s.", sentence(err))
	}
	if e.settings.Save.Told() {
		e.run.SavePossible()
	}
}

func (e *execution) barrier() barrier {
	return barrier{e.file, e.settings.Epoch, e.settings.Index, e.settings.BarrierWithin, e.signals, e.run, e.say}
}

// notStarted says why a command cannot be started.
func (e *execution) notStarted(err error) int {
	e.say("The training cannot be started: %v.", err)
	if failed, ok := errors.AsType[*process.StartError](err); ok {
		return failed.Exit
	}
	return process.ExitNotExecutable
}

// wrap starts the command, and stays until it has ended.
func (e *execution) wrap(words []string) int {
	e.beforeStart()
	environment, cleanUp := e.serveLocally()
	defer cleanUp()
	streams, files, err := e.pipes()
	if err != nil {
		e.say("The output of the training is not read: %v.", err)
	}
	progressFile, environment := e.progressFile(environment)
	saved := e.checkpointPath()
	e.command, err = process.Start(words, environment, files)
	streams.started()
	if err != nil {
		return e.notStarted(err)
	}
	e.run.Started(time.Now())
	streams.copy(words, e.command.Ended())
	e.beside("reading the annotations", e.followAnnotations)
	e.beside("watching for checkpoints", saved)
	e.beside("reading the metrics file", progressFile)

	e.forward()
	e.waitForHeirs()
	streams.finish()
	return e.exit()
}

// exit is what the container exits with.
func (e *execution) exit() int {
	exit := e.command.Exit()
	if e.leaves {
		return exitDrained
	}
	if exit != 0 {
		return exit
	}
	// The file says it sooner than whoever looks at it from time to time.
	switch {
	case drains(e.annotations()):
		e.say("The training was told to leave and has exited with 0, which would look like the success of its job: it "+
			"exits with %d instead.", exitDrained)
	case e.toldToEnd && !e.run.View().Complete():
		e.say("The training was told to end and has exited with 0 before all was done as far as is known, which would "+
			"look like the success of its job: it exits with %d instead.", exitDrained)
	default:
		return 0
	}
	return exitDrained
}

// beside does something beside the training, which must not end with it if it fails. Nil is nothing to do.
func (e *execution) beside(what string, do func()) {
	if do == nil {
		return
	}
	go func() {
		defer func() {
			if r := recover(); r != nil {
				e.say("It has failed at %s, and does without from now on: %v.", what, r)
			}
		}()
		do()
	}()
}

// sentence begins an error with a capital letter.
func sentence(err error) string {
	text := fmt.Sprint(err)
	return strings.ToUpper(text[:1]) + text[1:]
}
