package operator

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

// told is what events of a type say of the job resnet.
func told(w *world.World, t *testing.T, of, as string) (list []corev1.Event) {
	t.Helper()
	var all corev1.EventList
	if err := w.Client.List(t.Context(), &all, client.InNamespace(w.Namespace)); err != nil {
		t.Fatal(err)
	}
	for _, e := range all.Items {
		if e.Type == as && e.ReportingController == "takt" && e.InvolvedObject.Name == "resnet" &&
			e.InvolvedObject.Kind == of {
			list = append(list, e)
		}
	}
	return list
}

func TestAShorthandThatCannotBeReadIsToldAsLongAsItIsThereAndChangesNothing(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		w.Nodes(1, 1)
		w.Train(kind, "resnet", world.Job{Deadline: "tomorrow", Change: mayRestart(100)})
		const says = `takt.dev/deadline is "tomorrow": write a time span such as 6h, ` +
			"or a moment such as 2026-11-21T18:00:00Z."
		w.Eventually("the ElasticJob says what is wrong, and what would be right", world.Soon, func() error {
			return errors.Join(refused(w.Job("resnet"), "InvalidShorthand", says), tells(w, "resnet", says))
		})
		screen(t, w, `(?s)MISSPELT +AGE\s+resnet .*takt.dev/deadline`, "get", "ej")
		w.Eventually("an event on the job says it as well", world.Soon, func() error {
			list := told(w, t, kind, corev1.EventTypeWarning)
			if len(list) != 1 {
				return fmt.Errorf("%d warnings", len(list))
			}
			if !strings.Contains(list[0].Message, says) {
				return errors.New("the event says: " + list[0].Message)
			}
			return world.Want("reason", list[0].Reason, "InvalidShorthand")
		})
		w.Steadily("the event is not told again, though the job reports its progress", 4*time.Second, func() error {
			return errors.Join(world.Want("warnings", len(told(w, t, kind, corev1.EventTypeWarning)), 1),
				tells(w, "resnet", says))
		})
		leftAlone(t, w)
		annotate(w, "takt.dev/deadline", "6h")
		w.Eventually("once it is put right, the job is taken on", world.Soon, func() error {
			return errors.Join(world.IsTrue(w.Job("resnet"), v1alpha1.ConditionAdmitted),
				world.Want("misspelt", w.Job("resnet").Status.Summary.Misspelt, ""),
				world.Want("has the deadline", w.Job("resnet").Spec.Deadline != "", true))
		})
		before := w.Job("resnet").Spec.Deadline
		annotate(w, "takt.dev/deadline", "8 ours")
		w.Eventually("a slip of the pen later on is told", world.Soon, func() error {
			return tells(w, "resnet", `"ours" is no unit`, "Until that is put right, the job is")
		})
		if err := errors.Join(world.IsTrue(w.Job("resnet"), v1alpha1.ConditionAdmitted),
			world.Want("deadline", w.Job("resnet").Spec.Deadline, before)); err != nil {
			t.Error(err)
		}
	})
}

// annotate writes an annotation on the job resnet.
func annotate(w *world.World, key, value string) {
	job := w.TrainingJob(kindOf(w, "resnet"), "resnet")
	w.Patch(job, fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, key, value))
}

func TestAKeyThatNobodyKnowsAndOneInTheWrongPlaceAreNamed(t *testing.T) {
	t.Parallel()
	const slip = "takt.dev/deadlin is no key that Takt knows: write takt.dev/deadline."
	for name, test := range map[string]struct{ kind, key, value, says string }{
		"a slip of the pen":                   {"PyTorchJob", "takt.dev/deadlin", "6h", slip},
		"a slip of the pen on an Indexed Job": {"Job", "takt.dev/deadlin", "6h", slip},
		"the queue as an annotation": {"PyTorchJob", "takt.dev/queue", "research",
			`takt.dev/queue ("research") is an annotation of the job, and is read only as a label`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world.New(t, world.Options{Start: world.Operate})
			w.Nodes(1, 1)
			w.Train(test.kind, "resnet", world.Job{Suspended: true, Annotations: map[string]string{test.key: test.value}})
			w.Eventually("it is named", world.Soon, func() error {
				return errors.Join(refused(w.Job("resnet"), "InvalidShorthand", test.says),
					world.Want("misspelt", w.Job("resnet").Status.Summary.Misspelt, test.key))
			})
			leftAlone(t, w)
			annotate(w, "takt.dev/deadline", "6h")
			w.Eventually("it runs once it has a key that is known, and the other is named still", world.Soon, func() error {
				return errors.Join(runs(w, "resnet", 1), tells(w, "resnet", test.says))
			})
		})
	}
}

func TestWhatSomebodyAppliesOverTheElasticJobOfAnAnnotationWins(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	w.PyTorchJob("resnet", world.Job{
		Max: 4, Suspended: true, Deadline: "100h", Annotations: map[string]string{"takt.dev/workers": "1-4"},
	})
	w.Eventually("it runs, however rarely it tells", world.Later, func() error { return runs(w, "resnet", 4) })
	theirs := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": v1alpha1.GroupVersion.String(), "kind": "ElasticJob",
		"metadata": map[string]any{"namespace": w.Namespace, "name": "resnet"},
		"spec": map[string]any{
			"jobRef":  map[string]any{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "name": "resnet"},
			"workers": map[string]any{"max": int64(2)},
		},
	}}
	if err := w.Client.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(theirs), client.FieldOwner("a-person"),
		client.ForceOwnership); err != nil {
		t.Fatal(err)
	}
	w.Eventually("it has the workers that they give it, and says whose word that is", world.Soon, func() error {
		return errors.Join(runs(w, "resnet", 2), tells(w, "resnet",
			"takt.dev/workers (1-4) is overruled by spec.workers.max of this ElasticJob, which is 2"))
	})
	w.Patch(w.Job("resnet"), `{"spec":{"deadline":"2100-01-01T00:00:00Z"}}`)
	annotate(w, "takt.dev/deadline", "90h")
	annotate(w, "takt.dev/profile", "resnet50")
	w.Eventually("what they did not set comes from the job", world.Soon, func() error {
		return world.Want("profile", w.Job("resnet").Spec.Profile, "resnet50")
	})
	w.Steadily("what they set stays", 3*time.Second, func() error {
		spec := w.Job("resnet").Spec
		return errors.Join(world.Want("deadline", spec.Deadline, "2100-01-01T00:00:00Z"),
			world.Want("most workers", *spec.Workers.Max, 2), world.Want("fewest workers", *spec.Workers.Min, 1))
	})
	w.Eventually("both are told", world.Soon, func() error {
		return tells(w, "resnet", "takt.dev/deadline (90h) is overruled by spec.deadline",
			"takt.dev/workers (1-4) is overruled by spec.workers.max")
	})
	if _, err := cluster.Shared().Kubectl(t.Context(), "-n", w.Namespace, "patch", "ej", "resnet", "--type=merge",
		"-p", `{"spec":{"deadline":null}}`); err != nil {
		t.Fatal(err)
	}
	w.Eventually("what they take back is the word of the job again", world.Soon, func() error {
		job := w.Job("resnet")
		return world.Want("has the deadline of the job",
			job.Spec.Deadline != "" && job.Spec.Deadline != "2100-01-01T00:00:00Z", true)
	})
}

func TestADeadlineCountsFromWhenItWasWrittenThroughAnOutageOfTakt(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{
		Start: world.Operate, Settings: func(s *settings.Settings) { s.TimeZone = "Europe/Berlin" },
	})
	w.Nodes(1, 1)
	w.StopOperator()
	job := w.PyTorchJob("resnet", world.Job{Suspended: true, Deadline: "1d"})
	made := job.GetCreationTimestamp()
	w.Eventually("some seconds pass", world.Soon, func() error {
		return world.Want("three seconds have passed", time.Since(made.Time) > 3*time.Second, true)
	})
	w.StartOperator()
	want := v1alpha1.NewTime(made.Add(24 * time.Hour))
	w.Eventually("it counts from when the job was made", world.Soon, func() error {
		return world.Want("deadline", w.Job("resnet").Status.Deadline, want)
	})
	w.KillOperator()
	w.StartOperator()
	w.Steadily("it stays", 3*time.Second, func() error {
		return world.Want("deadline", w.Job("resnet").Spec.Deadline, want)
	})
	annotate(w, "takt.dev/deadline", "18:00")
	w.Eventually("another is that of the zone of the settings", world.Soon, func() error {
		berlin, err := time.LoadLocation("Europe/Berlin")
		if err != nil {
			return err
		}
		at, err := w.Job("resnet").Status.Deadline.Time()
		if err != nil {
			return err
		}
		return world.Want("time of day", at.In(berlin).Format(time.TimeOnly), "18:00:00")
	})
}

func TestAnElasticJobOfAnAnnotationThatIsDeletedLetsGoOfTheJob(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		kind string
		down bool
	}{
		"while Takt runs":                 {"PyTorchJob", false},
		"during an outage":                {"PyTorchJob", true},
		"an Indexed Job while Takt runs":  {"Job", false},
		"an Indexed Job during an outage": {"Job", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world.New(t, world.Options{Start: world.Operate})
			w.Nodes(1, 4)
			w.Train(tc.kind, "resnet", world.Job{Max: 4, Suspended: true, Deadline: "100h"})
			w.Eventually("it runs, however rarely it tells", world.Later, func() error { return runs(w, "resnet", 4) })
			before := w.Job("resnet").Spec.Deadline
			if tc.down {
				w.StopOperator()
			}
			w.Delete(w.Job("resnet"))
			if tc.down {
				w.StartOperator()
			}
			w.Eventually("an event on the job says how to have it looked after again", world.Soon, func() error {
				if !slices.ContainsFunc(told(w, t, tc.kind, corev1.EventTypeNormal),
					func(e corev1.Event) bool { return e.Reason == "LetGo" }) {
					return errors.New("there is none")
				}
				return gone(w)
			})
			w.Steadily("the job goes on as it is", 4*time.Second, func() error {
				return errors.Join(gone(w), world.Want("running", w.Running("resnet"), 4))
			})
			w.Patch(w.TrainingJob(tc.kind, "resnet"), `{"metadata":{"annotations":{"takt.dev/taken":null}}}`)
			w.Eventually("once it is asked for it is back, with the same deadline", world.Soon, func() error {
				return errors.Join(world.IsTrue(w.Job("resnet"), v1alpha1.ConditionAdmitted),
					world.Want("deadline", w.Job("resnet").Spec.Deadline, before))
			})
		})
	}
}
