package local

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/takt-dev/takt/agent/known"
)

// kubeflowStatus is what Kubeflow Trainer is told (KEP-2779), as far as it is of use. Its estimate of the time that
// remains is not: it goes by the time since the process has started over all steps, which is wrong after a restart.
type kubeflowStatus struct {
	TrainerStatus *struct {
		ProgressPercentage *float64 `json:"progressPercentage"`
		Metrics            []struct {
			Name  string `json:"name"`
			Value scalar `json:"value"`
		} `json:"metrics"`
	} `json:"trainerStatus"`
}

// scalar is a number that may be written as a string.
type scalar string

func (s *scalar) UnmarshalJSON(text []byte) error {
	var quoted string
	if json.Unmarshal(text, &quoted) == nil {
		*s = scalar(quoted)
		return nil
	}
	*s = scalar(text)
	return nil
}

// The names under which steps are told. The first are Hugging Face's.
var (
	stepNames  = []string{"current_step", "global_step", "step"}
	totalNames = []string{"total_steps", "max_steps"}
)

func (e *Endpoint) kubeflow(told kubeflowStatus) (any, error) {
	status := told.TrainerStatus
	if status == nil {
		return nil, errors.New(`trainerStatus is missing, such as {"trainerStatus": {"progressPercentage": 42}}`)
	}
	find := func(names []string) (float64, bool) {
		for _, name := range names {
			for _, metric := range status.Metrics {
				if metric.Name != name {
					continue
				}
				if value, err := strconv.ParseFloat(strings.TrimSpace(string(metric.Value)), 64); err == nil {
					return value, true
				}
			}
		}
		return 0, false
	}
	step, hasStep := find(stepNames)
	total, hasTotal := find(totalNames)
	count := known.Count{Done: step, Total: total, Unit: "steps", At: e.now()}
	if hasStep && count.Check() == nil {
		return struct{}{}, e.run.Told(known.Kubeflow, count)
	}
	switch percent := status.ProgressPercentage; {
	case percent == nil: // metrics alone are welcome, and tell no progress
	case *percent == 0 && hasTotal: // it begins, and tells from where with its first step
	default:
		count = known.Count{Done: *percent / 100, Total: 1, Unit: known.Share, At: e.now()}
		return struct{}{}, e.run.Told(known.KubeflowPart, count)
	}
	return struct{}{}, nil
}
