package agent

import (
	"time"

	"github.com/takt-dev/takt/agent/checkpoint"
	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/dlrover"
	"github.com/takt-dev/takt/agent/known"
	"github.com/takt-dev/takt/agent/podinfo"
)

const (
	lookAtAnnotations = 250 * time.Millisecond
	lookAtFile        = time.Second
	lookForCheckpoint = 2 * time.Second
	// share is how much longer it is not looked for a checkpoint than it takes to look: of a file server with a
	// thousand files, no more than that is asked.
	share = 100
)

// drains says whether the pod is told to leave the training.
func drains(annotations podinfo.Annotations) bool {
	_, marked := annotations[contract.DrainingAnnotation]
	return marked
}

// beforeStart notes what was written on the pod before there was a training.
func (e *execution) beforeStart() {
	annotations, _ := e.file.Now()
	e.run.Draining(drains(annotations))
	if text := annotations[contract.SaveAnnotation]; text != "" {
		if request, err := contract.ParseRequest(text); err == nil {
			e.run.SaveOld(request)
		}
	}
	if request, err := contract.ParseRequest(annotations[contract.StepAsideAnnotation]); err == nil {
		e.run.AsideRead(request)
		e.run.AsideOver(0)
	}
}

// followAnnotations heeds what is written on the pod, until the training ends.
func (e *execution) followAnnotations() {
	look := time.NewTicker(lookAtAnnotations)
	defer look.Stop()
	said := ""
	for {
		annotations, _ := e.file.Now()
		e.run.Draining(drains(annotations))
		if text := annotations[contract.SaveAnnotation]; text != "" {
			request, err := contract.ParseRequest(text)
			switch {
			case err == nil && e.run.SaveRead(request):
				e.beside("asking for a checkpoint", func() { e.ask(request) })
			case err != nil && said != text:
				said = text
				e.say("%s. No checkpoint is asked for.", sentence(err))
			}
		}
		if request, err := contract.ParseRequest(annotations[contract.StepAsideAnnotation]); err == nil &&
			e.run.AsideRead(request) {
			e.beside("stepping aside", e.stepAside)
		}
		select {
		case <-look.C:
		case <-e.command.Ended():
			return
		}
	}
}

// ask asks the training for a checkpoint. A script that asks the endpoint itself finds the request there.
func (e *execution) ask(request contract.Request) (asked bool) {
	way := e.settings.Save
	if !way.Told() {
		if !e.run.View().SavePossible {
			e.run.SaveDeclined(request)
			return false
		}
		return true
	}
	if err := way.Ask(request, e.command.Pid()); err != nil {
		e.run.SaveDeclined(request)
		e.say("The training cannot be asked for a checkpoint: %v.", err)
		return false
	}
	e.run.SaveAnswered(request, time.Now())
	return true
}

// checkpointPath watches where the training saves its state. What is there before it starts is not its own.
func (e *execution) checkpointPath() func() {
	if e.settings.CheckpointPath == "" {
		return nil
	}
	// A file server that does not answer holds up this, and not the start of the training.
	began := make(chan *checkpoint.Path, 1)
	go func() { began <- checkpoint.NewPath(e.settings.CheckpointPath, time.Now()) }()
	return func() { e.watch(<-began) }
}

func (e *execution) watch(path *checkpoint.Path) {
	next := time.NewTimer(lookForCheckpoint)
	defer next.Stop()
	tooMany := false
	for {
		select {
		case <-next.C:
		case <-e.command.Ended():
			return
		}
		began := time.Now()
		if at := path.Look(began); !at.IsZero() {
			e.run.Saved(at)
		}
		if path.TooMany() && !tooMany {
			tooMany = true
			e.say("%s holds too many files to look at all of them: name the checkpoints alone, such as /data/out/checkpoint-*.",
				e.settings.CheckpointPath)
		}
		next.Reset(max(lookForCheckpoint, share*time.Since(began)))
	}
}

// progressFile names DLRover's metrics file to the training, unless the job names one, and reads it.
func (e *execution) progressFile(environment []string) (read func(), with []string) {
	path := e.settings.ProgressFile
	if path == "" {
		path, environment = nameFile(environment, e.folder)
	}
	if path == "" {
		return nil, environment
	}
	file := dlrover.NewFile(path)
	return func() { e.readFile(file) }, environment
}

func (e *execution) readFile(file *dlrover.File) {
	look := time.NewTicker(lookAtFile)
	defer look.Stop()
	for {
		select {
		case <-look.C:
		case <-e.command.Ended():
			return
		}
		// A file that is half written, or nobody's, is looked at again.
		if count, told, err := file.Look(time.Now()); told && err == nil {
			_ = e.run.Told(known.MetricsFile, count) // it was checked
		}
	}
}
