package progress

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/printed"
)

// tailLines are how many lines are asked for, fewer each time that the answer is too long: the API
// server cuts off the end of an answer, which is the newest.
var tailLines = []int64{500, 50, 5}

// Logs reads the end of what a worker writes.
type Logs struct {
	client typedcorev1.PodsGetter
	limits Limits
	// Again is told of jobs that are to be read now, as their kubelets answer again; nil if nobody wants to know.
	Again    func(job types.NamespacedName)
	kubelets *kubelets

	mu      sync.Mutex
	outputs map[types.UID]*output // of pods; at most maxMemory
}

// NewLogs makes the source. Its client must be allowed to get pods/log.
func NewLogs(client typedcorev1.PodsGetter, limits Limits) *Logs {
	return &Logs{client: client, limits: limits, kubelets: newKubelets(), outputs: map[types.UID]*output{}}
}

// Name is Logs.
func (*Logs) Name() v1alpha1.ProgressSource { return v1alpha1.ProgressLogs }

// Read fails with ErrNone where the output tells no progress in a form that is known.
func (l *Logs) Read(ctx context.Context, t Target) (Sample, error) {
	pod, err := first(t)
	if err != nil {
		return Sample{}, err
	}
	total, err := specTotal(t)
	if err != nil {
		return Sample{}, err
	}
	if silent := l.kubelets.rests(t, pod); silent != nil {
		return Sample{}, silent
	}
	container := cmp.Or(t.Spec.Container, Trainer(pod, t.Container))
	ctx, cancel := l.limits.within(ctx)
	defer cancel()
	for _, lines := range tailLines {
		text, err := l.tail(ctx, pod, container, lines)
		l.tell(l.kubelets.finds(t, pod, err))
		if err != nil {
			return Sample{}, err
		}
		if int64(len(text)) >= l.limits.MaxBytes {
			continue
		}
		whole := int64(bytes.Count(text, []byte("\n"))) < lines
		sample, known, found := l.output(pod, container).sample(string(text), whole, given(total, t.Work))
		if said := l.saidBefore(t, pod, known); !found && said != (printed.Work{}) {
			sample, known, found = l.anew(pod, container, said).sample(string(text), whole, given(total, t.Work))
		}
		if !found && t.Last == v1alpha1.ProgressLogs && sameUnit(t.Said.Unit, printed.Epochs) && !began(t).After(t.Said.At) {
			sample, known, found = l.output(pod, container).recall(t.Said, sample)
		}
		saved := Sample{SavedAt: sample.SavedAt}
		if !found && known.Doubt != "" {
			unsure := ErrUnsure
			if known.Part {
				unsure = ErrPart
			}
			return saved, fail(unsure, "the last %s of container %s of pod %s do not show for sure how far the job is: "+
				"%s; the annotation %s can say how much there is to do", elastic.CountOf(lines, "line"), container, pod.Name,
				known.Doubt, ProgressAnnotation)
		}
		if !found {
			return saved, fail(ErrNone, "the last %s of container %s of pod %s show no progress in a form that is known, "+
				"such as \"step 420/1000\"", elastic.CountOf(lines, "line"), container, pod.Name)
		}
		return sample, nil
	}
	return Sample{}, fail(ErrGarbage, "the last %s of container %s of pod %s are longer than %d bytes",
		elastic.CountOf(tailLines[len(tailLines)-1], "line"), container, pod.Name, l.limits.MaxBytes)
}

// tell has jobs read now.
func (l *Logs) tell(again []types.NamespacedName) {
	for _, job := range again {
		if l.Again != nil {
			l.Again(job)
		}
	}
}

// Answers says that the kubelet of a pod answers again, which has not been asked for it since.
func (l *Logs) Answers(pod *corev1.Pod) bool { return l.kubelets.answers(pod) }

// IsRead takes that pods were read, whatever came of it.
func (l *Logs) IsRead(pods []*corev1.Pod) { l.kubelets.isRead(pods) }

// given is what is known of a training besides its output.
func given(total float64, work Work) printed.Given {
	return printed.Given{
		Total:  total,
		Work:   printed.Work{Steps: work.in("steps"), Epochs: work.in("epochs")},
		Either: work.Unit == "",
	}
}

// saidBefore is how much there is to do, by what another process has read of an output that counts: many say it once,
// in lines that are gone by now. It is empty where that is not known, or was taken into account.
func (l *Logs) saidBefore(t Target, pod *corev1.Pod, known printed.Reading) (work printed.Work) {
	l.mu.Lock()
	of := l.outputs[pod.UID]
	l.mu.Unlock()
	total, counts := t.Said.in(known.Unit), known.Total == 0 && !known.Part
	if t.Last != v1alpha1.ProgressLogs || !counts || known.Done > total || of == nil || of.hasTold() {
		return work
	}
	switch known.Unit {
	case printed.Steps:
		work.Steps = total
	case printed.Epochs:
		work.Epochs = total
	}
	return work
}

// anew forgets what is remembered of the output of a pod, and takes that it has so much to do unless it says otherwise.
func (l *Logs) anew(pod *corev1.Pod, container string, work printed.Work) *output {
	l.mu.Lock()
	delete(l.outputs, pod.UID)
	l.mu.Unlock()
	of := l.output(pod, container)
	of.mu.Lock()
	defer of.mu.Unlock()
	of.recalled = true
	of.reader.Plan(work)
	return of
}

// environment are the variables of a container that its pod says, as NAME=value.
func environment(c corev1.Container) (all []string) {
	for _, variable := range c.Env {
		all = append(all, variable.Name+"="+variable.Value)
	}
	return all
}

// output is what is remembered of the output of a pod. Pods that are gone make room for others.
func (l *Logs) output(pod *corev1.Pod, container string) *output {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.outputs[pod.UID]
	if of == nil {
		of = &output{}
		for _, c := range pod.Spec.Containers {
			if c.Name == container {
				of.reader.Plan(printed.Started(slices.Concat(c.Command, c.Args), environment(c)))
			}
		}
		keep(l.outputs, pod.UID, of)
	}
	return of
}

// tail gets the last lines of a container, but no more than MaxBytes.
func (l *Logs) tail(ctx context.Context, pod *corev1.Pod, container string, lines int64) ([]byte, error) {
	stream, err := l.client.Pods(pod.Namespace).GetLogs(pod.Name, &corev1.PodLogOptions{
		Container: container, TailLines: &lines, LimitBytes: &l.limits.MaxBytes, Timestamps: true,
	}).MaxRetries(0).Stream(ctx)
	switch {
	case apierrors.IsBadRequest(err):
		// So it is for a container that has not started, too.
		return nil, &fault{
			kind: ErrNone, message: "container " + container + " of pod " + pod.Name + " has no output to read", cause: err,
		}
	case apierrors.IsForbidden(err):
		return nil, &fault{
			kind: ErrUnreachable, message: "the operator may not read the output of pods: allow it to get pods/log", cause: err,
		}
	case apierrors.IsNotFound(err): // what the client makes of it names nothing that people know
		return nil, fail(ErrUnreachable,
			"nobody has the output of container %s of pod %s: its node keeps none, or the pod is gone", container, pod.Name)
	case err != nil:
		return nil, unanswered(err, "cannot read the output of container %s of pod %s", container, pod.Name)
	}
	defer stream.Close()
	text, err := io.ReadAll(io.LimitReader(stream, l.limits.MaxBytes))
	if err != nil {
		return nil, unanswered(err, "the output of container %s of pod %s breaks off", container, pod.Name)
	}
	return text, nil
}
