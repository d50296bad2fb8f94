package operator

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/adapter"
)

func TestWhatTheShorthandSays(t *testing.T) {
	kind, _ := adapter.ByKind("PyTorchJob")
	plain := v1alpha1.ElasticJobSpec{
		JobRef: v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "resnet"},
		Queue:  "default", Guarantee: v1alpha1.GuaranteePromise,
	}
	with := func(change func(*v1alpha1.ElasticJobSpec)) v1alpha1.ElasticJobSpec {
		spec := plain
		change(&spec)
		return spec
	}
	workers := func(from, to int32) v1alpha1.ElasticJobSpec {
		return with(func(s *v1alpha1.ElasticJobSpec) { s.Workers = v1alpha1.WorkerRange{Min: &from, Max: &to} })
	}
	for name, test := range map[string]struct {
		queue       string
		annotations map[string]string
		want        v1alpha1.ElasticJobSpec
		wantError   string
	}{
		"a queue":       {"research", nil, with(func(s *v1alpha1.ElasticJobSpec) { s.Queue = "research" }), ""},
		"a time span":   {"", map[string]string{deadlineAnnotation: "6h"}, with(func(s *v1alpha1.ElasticJobSpec) { s.DeadlineAfter = "6h" }), ""},
		"a moment":      {"", map[string]string{deadlineAnnotation: "2026-11-21T18:00:00Z"}, with(func(s *v1alpha1.ElasticJobSpec) { s.Deadline = "2026-11-21T18:00:00Z" }), ""},
		"a range":       {"", map[string]string{workersAnnotation: "1-8"}, workers(1, 8), ""},
		"a range, airy": {"", map[string]string{workersAnnotation: " 1 - 8 "}, workers(1, 8), ""},
		"a number":      {"", map[string]string{workersAnnotation: "4"}, workers(4, 4), ""},
		"all": {"", map[string]string{guaranteeAnnotation: "BestEffort", profileAnnotation: "resnet50"},
			with(func(s *v1alpha1.ElasticJobSpec) { s.Guarantee, s.Profile = "BestEffort", "resnet50" }), ""},
		"no time":            {"", map[string]string{deadlineAnnotation: "soon"}, plain, deadlineAnnotation},
		"no time at all":     {"", map[string]string{deadlineAnnotation: ""}, plain, deadlineAnnotation},
		"a time that passed": {"", map[string]string{deadlineAnnotation: "-6h"}, plain, deadlineAnnotation},
		"no time left":       {"", map[string]string{deadlineAnnotation: "0s"}, plain, deadlineAnnotation},
		"no workers":         {"", map[string]string{workersAnnotation: "0"}, plain, workersAnnotation},
		"negative workers":   {"", map[string]string{workersAnnotation: "-3"}, plain, workersAnnotation},
		"the wrong way":      {"", map[string]string{workersAnnotation: "8-1"}, plain, workersAnnotation},
		"too many workers":   {"", map[string]string{workersAnnotation: "1-9999999999"}, plain, workersAnnotation},
		"words":              {"", map[string]string{workersAnnotation: "many"}, plain, workersAnnotation},
	} {
		t.Run(name, func(t *testing.T) {
			job := adapter.Job{Kind: "PyTorchJob", Name: "resnet", Annotations: test.annotations, Labels: map[string]string{queueLabel: test.queue}}
			got, err := specOf(kind, job)
			switch {
			case test.wantError == "" && err != nil:
				t.Error(err)
			case test.wantError == "":
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Error(diff)
				}
			case err == nil || !errors.As(err, new(*shorthandError)) || !strings.Contains(err.Error(), test.wantError):
				t.Errorf("%v does not name %s", err, test.wantError)
			}
		})
	}
}
