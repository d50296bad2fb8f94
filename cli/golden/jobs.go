package golden

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// Now is the moment of all that is shown.
var Now = time.Date(2026, 11, 21, 15, 21, 0, 0, time.UTC)

// At is a moment of the API, so long from now.
func At(d time.Duration) v1alpha1.Time { return v1alpha1.NewTime(Now.Add(d)) }

// Job is a job of two hours ago as the operator describes one: on its way, and in time.
func Job(name string, change ...func(*v1alpha1.ElasticJob)) v1alpha1.ElasticJob {
	percent := int32(93)
	job := v1alpha1.ElasticJob{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "team-a", Name: name, CreationTimestamp: metav1.NewTime(Now.Add(-2 * time.Hour)),
		},
		Spec: v1alpha1.ElasticJobSpec{
			JobRef: v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: name}, Queue: "research",
		},
		Status: v1alpha1.ElasticJobStatus{
			Verdict: v1alpha1.VerdictOnTrack, Message: "The deadline is promised. At worst it will be met with 25m to spare.",
			Deadline: At(159 * time.Minute), Promised: At(159 * time.Minute), Pool: "A100",
			Workers: v1alpha1.WorkerStatus{Running: 4, Desired: 4, Min: 1, Max: 8},
			Progress: v1alpha1.ProgressStatus{
				PartsPerMillion: 420000, Source: "Logs", ObservedAt: At(-10 * time.Second), LastCheckpointAt: At(-5 * time.Minute),
			},
			Prediction: v1alpha1.PredictionStatus{
				ETA: At(2 * time.Hour), Earliest: At(112 * time.Minute), Latest: At(134 * time.Minute), OnTimePercent: &percent,
			},
			Summary: v1alpha1.ElasticJobSummary{Job: "PyTorchJob/" + name, Workers: "4/8", Progress: "42%", Slack: "39m"},
			Conditions: []metav1.Condition{
				{Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue, Reason: "Promised",
					Message: "The deadline is promised."},
				{Type: v1alpha1.ConditionRunning, Status: metav1.ConditionTrue, Reason: "WorkersRun",
					LastTransitionTime: metav1.NewTime(Now.Add(-110 * time.Minute))},
			},
		},
	}
	for _, c := range change {
		c(&job)
	}
	return job
}

// AtRisk has a job lack GPUs.
func AtRisk(job *v1alpha1.ElasticJob) {
	eight := int32(8)
	st := &job.Status
	st.Verdict, st.Promised, st.Summary.Slack = v1alpha1.VerdictAtRisk, "", "-2h39m"
	st.Message = "It takes at least 11h6m of GPU time, and its deadline is in 2h39m: there is no room for that beside " +
		"what is planned for others. It will be in time only if GPUs become free."
	st.Workers.Running, st.Workers.Desired, st.Summary.Workers = 2, 2, "2/8"
	st.Prediction.ETA, st.Prediction.Earliest, st.Prediction.Latest, st.Prediction.OnTimePercent = At(318*time.Minute),
		At(291*time.Minute), At(350*time.Minute), nil
	st.Prediction.SufficientWorkers = &eight
	st.Conditions[0] = metav1.Condition{Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue, Reason: "Planned",
		Message: "It runs on what is free. No deadline is promised."}
}

// BestEffort has a job without a deadline.
func BestEffort(job *v1alpha1.ElasticJob) {
	st := &job.Status
	st.Verdict, st.Message = v1alpha1.VerdictBestEffort, "It has no deadline: it runs on what others leave."
	st.Deadline, st.Promised, st.Prediction.OnTimePercent, st.Summary.Slack = "", "", nil, ""
	st.Conditions[0] = metav1.Condition{Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue, Reason: "Planned",
		Message: "It runs on what is free. No deadline is promised."}
}

// Waits has a job without a deadline that waits.
func Waits(job *v1alpha1.ElasticJob) {
	BestEffort(job)
	st := &job.Status
	st.Message += " It waits: others need the GPUs more. As it looks now, it starts in 1h39m, unless others come " +
		"before it."
	st.Workers.Running, st.Workers.Desired, st.Progress = 0, 0, v1alpha1.ProgressStatus{}
	st.Prediction = v1alpha1.PredictionStatus{StartsAt: At(99 * time.Minute)}
	st.Summary = v1alpha1.ElasticJobSummary{Job: st.Summary.Job, Workers: "0/8"}
	st.Conditions = st.Conditions[:1]
	st.Conditions[0] = metav1.Condition{Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionFalse, Reason: "NoRoom",
		Message: "It waits: others need the GPUs more."}
}

// Met has a job that has ended in time.
func Met(job *v1alpha1.ElasticJob) {
	st := &job.Status
	st.Verdict, st.Message = v1alpha1.VerdictMet, "It finished 1h before its deadline."
	st.Deadline, st.Prediction = At(30*time.Minute), v1alpha1.PredictionStatus{ETA: At(-30 * time.Minute)}
	st.Workers.Running, st.Workers.Desired, st.Progress.PartsPerMillion = 0, 0, 1e6
	st.Summary = v1alpha1.ElasticJobSummary{Job: st.Summary.Job, Workers: "0/8", Progress: "100%", Slack: "1h"}
	st.Conditions = append(st.Conditions, metav1.Condition{
		Type: v1alpha1.ConditionSucceeded, Status: metav1.ConditionTrue, Reason: "JobFinished",
		LastTransitionTime: metav1.NewTime(Now.Add(-30 * time.Minute)),
	})
}

// Resizes are the start of a job and its growth.
func Resizes(job string) []v1alpha1.Resize {
	one := func(epoch int64, ago time.Duration, from, to int32, why v1alpha1.ResizeReason,
		cost v1alpha1.ResizeCost) v1alpha1.Resize {
		return v1alpha1.Resize{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "team-a", Name: job + "-" + string('0'+rune(epoch)), CreationTimestamp: metav1.NewTime(Now.Add(-ago)),
			},
			Spec: v1alpha1.ResizeSpec{
				ElasticJob: job, Epoch: epoch, From: from, To: to, Mode: v1alpha1.ResizeLive, Reason: why,
			},
			Status: v1alpha1.ResizeStatus{Reached: v1alpha1.ConditionSucceeded, Cost: cost, Conditions: []metav1.Condition{
				{Type: v1alpha1.ConditionSucceeded, Status: metav1.ConditionTrue,
					LastTransitionTime: metav1.NewTime(Now.Add(-ago + time.Minute))},
			}},
		}
	}
	return []v1alpha1.Resize{
		one(1, 112*time.Minute, 0, 2, v1alpha1.ReasonStarted, v1alpha1.ResizeCost{}),
		one(2, 31*time.Minute, 2, 4, v1alpha1.ReasonDeadlineRisk, v1alpha1.ResizeCost{Pause: "9s", Lost: "12s"}),
	}
}

// Snapshot is one in which resnet holds four GPUs, bert two, which is too few, and gpt the other two.
func Snapshot() *elastic.Snapshot {
	at := func(d time.Duration) *elastic.Seconds {
		s := elastic.Seconds(Now.Add(d).Unix())
		return &s
	}
	from := func(least elastic.Workers, speeds ...elastic.Speed) (all []elastic.Size) {
		for i, speed := range speeds {
			all = append(all, elastic.Size{Workers: least << i, Speed: speed, Expected: speed * 1.1, Best: speed * 1.2})
		}
		return all
	}
	sizes := func(speeds ...elastic.Speed) []elastic.Size { return from(1, speeds...) }
	return &elastic.Snapshot{
		Now:    elastic.Seconds(Now.Unix()),
		Nodes:  []elastic.Node{{Name: "node-a", Pool: "A100", GPUs: 4}, {Name: "node-b", Pool: "A100", GPUs: 4}},
		Queues: []elastic.Queue{{Name: "research", Pool: "A100", Guaranteed: 6}},
		Jobs: []elastic.Job{
			{
				Name: "team-a/resnet", Queue: "research", Pool: "A100", Deadline: at(159 * time.Minute), Promised: true,
				Left:  24000,
				Sizes: sizes(1, 1.9, 3.4, 6), Workers: 4, On: []string{"node-a", "node-a", "node-a", "node-a"}, Pause: 30,
				SavedAt:  *at(-5 * time.Minute),
				Reserved: []elastic.Span{{From: *at(0), To: *at(118 * time.Minute), Workers: 4}},
			},
			{
				Name: "team-a/bert", Queue: "research", Pool: "A100", Deadline: at(159 * time.Minute), Left: 40000,
				Sizes: sizes(1, 1.9, 3.4, 6), Beyond: from(16, 10, 15), MayHave: 8, Workers: 2,
				On: []string{"node-b", "node-b"}, Pause: 30, SavedAt: *at(-5 * time.Minute),
			},
			{
				Name: "team-b/gpt", Queue: "research", Pool: "A100", Deadline: at(3 * time.Hour), Promised: true, Left: 19000,
				Sizes: sizes(1, 1.9), Beyond: from(4, 3.4, 6), MayHave: 4, Workers: 2, On: []string{"node-b", "node-b"},
				Pause: 30, SavedAt: *at(-5 * time.Minute),
				Reserved: []elastic.Span{{From: *at(0), To: *at(167 * time.Minute), Workers: 2}},
			},
		},
	}
}
