package real

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// Scripts as strangers write them, in the shape of the examples of their frameworks (testdata/shapes): Takt finds how
// far they are in what they print, grows them once as GPUs become free, and they are in time.
func TestRealTrainingInTheShapeOfExamples(t *testing.T) {
	for name, shape := range map[string]struct {
		script string
		job    job
		left   string // a file that is there once it has trained to its end
	}{
		// It does not print how many epochs there are, and takes them as a number without a name: its job says so.
		"multigpu": {
			"PyTorch, in the shape of multigpu_torchrun",
			job{program: "/code/multigpu_torchrun.py, '121', '4'", says: ", takt.dev/progress: 0/121 epochs"},
			"snapshot.pt",
		},
		"parity": {"Hugging Face, in the shape of run_*.py",
			job{program: "/code/run_parity.py, --output_dir=/data, --num_train_epochs=30, " +
				"--per_device_train_batch_size=8, --save_steps=20, --logging_steps=10, --use_cpu, --ddp_backend=gloo"},
			"eval_results.json"},
		// Where Rich is installed, Lightning prints nothing until it has ended unless a terminal reads it, or this is set.
		"autoencoder": {
			"Lightning, in the shape of its first example",
			job{program: "/code/lightning_autoencoder.py", environment: `{name: TTY_COMPATIBLE, value: "1"}`}, "last.ckpt",
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := shape.job
			j.name = name
			growsOnce(t, shape.script, j, shape.left, v1alpha1.ResizeLive)
		})
	}
}

// TensorFlow itself: workers that train by themselves on the variables of a parameter server, to whom others come while
// they train; and workers that train together, all of which have to be started anew for it.
func TestRealTensorFlow(t *testing.T) {
	t.Run("servers", func(t *testing.T) {
		growsOnce(t, "TensorFlow, with a parameter server",
			job{name: "servers", servers: true, program: "/code/dist_parity.py, --train_steps=2900"},
			"checkpoints/model.ckpt-29*.index", v1alpha1.ResizeLive)
	})
	t.Run("mirrored", func(t *testing.T) {
		growsOnce(t, "TensorFlow, mirrored",
			job{name: "mirrored", tensorflow: true, program: "/code/multi_worker_with_keras.py"},
			"model.keras", v1alpha1.ResizeCold)
	})
}

// growsOnce plays a training that would take 290 s with the two GPUs that are free at first, and has to be done in 270
// s. It leaves a file of such a name once it has trained to its end, and is resized in this mode.
func growsOnce(t *testing.T, script string, j job, left string, mode v1alpha1.ResizeMode) {
	needsFrameworks(t)
	s := newStage(t)
	s.hold("others", 2)
	s.awaitPod("others")
	j.image, j.deadline, j.least, j.most, j.workers, j.suspended = frameworksImage, 270*time.Second, 1, 4, 4, true
	watch := s.watch(j.name, script)
	folder := s.submit(j)
	s.eventually("its progress is found", patience, func() error { return s.advances(j.name, 2, 20_000) })
	s.release("others")
	s.eventually("it goes on with four workers", patience, func() error { return s.advances(j.name, 4, 0) })
	s.verdict(j.name, v1alpha1.VerdictMet, j.deadline)
	if found, err := filepath.Glob(filepath.Join(folder, left)); err != nil || len(found) == 0 {
		t.Errorf("it has not left %s: %v", left, err)
	}
	s.checkGrowth(j.name, mode)
	watch.tell()
}

// advances objects as long as a job does not have so many workers, after a resize that has ended, and has not done so
// much, in parts per million.
func (s *stage) advances(name string, workers, done int32) error {
	e := s.elasticJob(name)
	for _, r := range s.resizes(name) {
		if !r.Over() {
			return fmt.Errorf("%s has not ended: it is %s", r.Name, r.Status.Reached)
		}
	}
	if e.Status.Workers.Running != workers || e.Status.Progress.PartsPerMillion < done {
		return fmt.Errorf("%d workers train, and %d parts per million are done: %s", e.Status.Workers.Running,
			e.Status.Progress.PartsPerMillion, e.Status.Message)
	}
	return nil
}

// checkGrowth judges that each Resize of a job has succeeded, and that it was made larger once, in this mode.
func (s *stage) checkGrowth(name string, mode v1alpha1.ResizeMode) {
	s.t.Helper()
	grown := 0
	for _, r := range s.resizes(name) {
		s.t.Logf("%s: %d to %d is %s, pause %v, lost %v", r.Name, r.Spec.From, r.Spec.To, r.Status.Reached,
			r.Status.Cost.Pause, r.Status.Cost.Lost)
		if r.Status.Reached != v1alpha1.ConditionSucceeded {
			s.t.Errorf("%s has not succeeded", r.Name)
		}
		if r.Spec.From > 0 && r.Spec.To > r.Spec.From {
			grown++
			if r.Spec.Mode != mode {
				s.t.Errorf("%s is %s, want %s", r.Name, r.Spec.Mode, mode)
			}
		}
	}
	if grown != 1 {
		s.t.Errorf("it was made larger %d times, want once", grown)
	}
}

const frameworksImage = "localhost/frameworks:1"

// frameworks gives the image with what strangers train with to the nodes.
var frameworks = sync.OnceValue(func() error {
	return home.GiveImage(context.Background(), frameworksImage,
		append(slices.Clone(cluster.ImageEnvironment), "--base", cluster.Program("lib/frameworks.tar"),
			"--env", "HF_HUB_OFFLINE=1", "--env", "HOME=/tmp", "--env", "PYTHONUNBUFFERED=1")...)
})

// needsFrameworks skips a test, and says so, where there is no image with the frameworks, or no real training at all.
func needsFrameworks(t *testing.T) {
	t.Helper()
	needsRealTraining(t)
	if _, err := os.Stat(cluster.Program("lib/frameworks.tar")); err != nil {
		skip(t, "the image with the frameworks is not built: make frameworks")
	}
	if err := frameworks(); err != nil {
		t.Fatal(err)
	}
}
