package progress

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ward is some pods, and who of them answers.
type ward struct {
	t       *testing.T
	reader  *Reader
	logs    *Logs
	answers map[string]bool   // by the names of pods
	says    map[string]string // what is said of a pod that does not; by default that its kubelet is not reached
	asked   []string
	again   []string
}

const notReachedAnswer = `{"kind":"Status","apiVersion":"v1","status":"Failure","code":500,` +
	`"message":"dial tcp 10.0.0.7:10250: connect: no route to host"}`

func newWard(t *testing.T) *ward {
	w := &ward{t: t, answers: map[string]bool{}, says: map[string]string{}}
	api := serveAPI(t, http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		pod := strings.Split(r.URL.Path, "/")[6]
		w.asked = append(w.asked, pod)
		if w.answers[pod] {
			fmt.Fprint(out, stamped("step 420/1000"))
			return
		}
		out.Header().Set("Content-Type", "application/json")
		out.WriteHeader(http.StatusInternalServerError)
		said := w.says[pod]
		if said == "" {
			said = notReachedAnswer
		}
		fmt.Fprint(out, said)
	}))
	w.logs = NewLogs(api.kubernetes.CoreV1(), wide)
	w.logs.Again = func(job types.NamespacedName) { w.again = append(w.again, job.Name) }
	w.reader = readerOf(w.logs)
	return w
}

// on is a pod of a namespace on a node.
func on(node, namespace, name string) *corev1.Pod {
	pod := worker(name)
	pod.Namespace, pod.UID, pod.Spec.NodeName = namespace, types.UID(namespace+"-"+name), node
	return pod
}

// reads gives what comes of reading a pod, the only one of its job, which is looked at again after a while.
func (w *ward) reads(pod *corev1.Pod, minute float64, again time.Duration) error {
	target := Target{
		Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, Container: "pytorch", Pods: []*corev1.Pod{pod},
		Again: again, Next: again,
	}
	_, err := w.reader.Read(w.t.Context(), target, sixOClock.Add(time.Duration(minute*float64(time.Minute))))
	return err
}

// wants checks who was asked since the last check.
func (w *ward) wants(what string, asked ...string) {
	w.t.Helper()
	if !slices.Equal(w.asked, asked) {
		w.t.Errorf("%s: %v are asked, want %v", what, w.asked, asked)
	}
	w.asked = nil
}

const seldomLook = 5 * time.Minute

func TestOneAsksASilentKubeletForAll(t *testing.T) {
	w := newWard(t)
	a, b, c, far := on("n1", "team", "a"), on("n1", "team", "b"), on("n1", "team", "c"), on("n2", "team", "far")
	all := []*corev1.Pod{a, b, c, far}
	for i, pod := range all {
		_ = w.reads(pod, float64(i)/10, seldomLook)
	}
	w.wants("nobody has asked before", "a", "b", "c", "far")
	said := w.reads(b, 4, seldomLook)
	if w.wants("another asks before that would again"); said == nil ||
		!strings.Contains(said.Error(), "cannot read the output of container pytorch of pod b: dial tcp") {
		t.Errorf("it is told %v", said)
	}
	w.answers["far"] = true
	for i, pod := range all {
		_ = w.reads(pod, 5+float64(i)/10, seldomLook)
	}
	w.wants("one asks for all of its node, and each other node is asked", "a", "far")
	if len(w.again) > 0 {
		t.Errorf("%v are read again though their node is silent", w.again)
	}
}

func TestTheFirstAnswerOfAKubeletHasAllRead(t *testing.T) {
	w := newWard(t)
	a, b, other := on("n1", "team", "a"), on("n1", "team", "b"), on("n1", "other", "c")
	all := []*corev1.Pod{a, b, other}
	for round := range 3 {
		for _, pod := range all {
			_ = w.reads(pod, 5*float64(round), seldomLook)
		}
	}
	w.wants("all, and then one of each namespace", "a", "b", "c", "a", "c", "a", "c")
	w.answers = map[string]bool{"a": true, "b": true, "c": true}
	if err := w.reads(other, 15, seldomLook); err != nil {
		t.Fatal(err)
	}
	slices.Sort(w.again)
	if want := []string{"a", "b"}; !slices.Equal(w.again, want) {
		t.Errorf("%v are read again, want %v", w.again, want)
	}
	if !w.reader.Answers(all[:1]) || !w.reader.Answers(all[1:2]) {
		t.Error("they are not to be read at once")
	}
	w.asked = nil
	for _, pod := range all[:2] { // whether they were to rest as they were asked in vain or not
		if err := w.reads(pod, 15, seldomLook); err != nil {
			t.Error(err)
		}
	}
	if w.wants("they are read at once", "a", "b"); w.reader.Answers(all) {
		t.Error("they are to be read at once for ever")
	}
}

// One that rests may be told that its node answers before it is done: it is read all the same.
func TestAnAnswerIsNotLostOnOneThatIsBeingRead(t *testing.T) {
	w := newWard(t)
	a, b := on("n1", "team", "a"), on("n1", "team", "b")
	_, _ = w.reads(a, 0, seldomLook), w.reads(b, 0, seldomLook)
	w.answers["a"] = true
	heard := w.reader.heard([]*corev1.Pod{b})
	_ = w.reads(a, 5, seldomLook)
	if w.reader.isRead(heard); !w.reader.Answers([]*corev1.Pod{b}) {
		t.Error("it is not to be read at once")
	}
}

func TestWhoAsksForHimself(t *testing.T) {
	tests := map[string]struct {
		pod   *corev1.Pod
		first string // what is said of the pod first, if anything
		again time.Duration
		asks  bool
	}{
		"one that looks as seldom":             {on("n1", "team", "b"), notReachedAnswer, seldomLook, false},
		"one that looks more seldom":           {on("n1", "team", "b"), notReachedAnswer, 3 * seldomLook, false},
		"one that looks more often":            {on("n1", "team", "b"), notReachedAnswer, time.Minute, true},
		"one that somebody waits for":          {on("n1", "team", "b"), notReachedAnswer, 0, true},
		"one that nobody has asked for yet":    {on("n1", "team", "b"), "", seldomLook, true},
		"one of another namespace":             {on("n1", "other", "b"), notReachedAnswer, seldomLook, true},
		"one of another node":                  {on("n2", "team", "b"), notReachedAnswer, seldomLook, true},
		"one of which its kubelet said a word": {on("n1", "team", "b"), ofTheKubelet, seldomLook, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWard(t)
			if test.first != "" {
				w.says["b"] = test.first
				_ = w.reads(test.pod, 0, test.again)
			}
			_ = w.reads(on("n1", "team", "a"), 6, seldomLook)
			w.asked = nil
			_ = w.reads(test.pod, 8, test.again)
			if asks := len(w.asked) > 0; asks != test.asks {
				t.Errorf("it asks: %t", asks)
			}
		})
	}
}

const ofTheKubelet = `{"kind":"Status","apiVersion":"v1","status":"Failure","code":500,"reason":"InternalError",` +
	`"message":"Internal error occurred: the log is broken"}`

// A pod may be made such that asking for it always comes to nothing.
func TestOnePodSilencesNoOtherForLong(t *testing.T) {
	w := newWard(t)
	a, b := on("n1", "team", "a"), on("n1", "team", "b")
	_, _ = w.reads(b, 0, seldomLook), w.reads(a, 0, seldomLook)
	w.answers["b"] = true
	for look := 1; look <= mostInTurn+1; look++ {
		_, _ = w.reads(a, 5*float64(look), seldomLook), w.reads(b, 5*float64(look)+1, seldomLook)
	}
	if w.asked[len(w.asked)-1] != "b" {
		t.Errorf("%v are asked", w.asked)
	}
}

var silent500 = &apierrors.StatusError{ErrStatus: metav1.Status{Code: http.StatusInternalServerError}}

// However often the jobs of a node are looked at, or sooner as something happens: once it answers, each is read as soon
// as if all asked for themselves.
func TestNobodyIsReadLaterForOthers(t *testing.T) {
	for seed := range uint64(300) {
		s := &sharedNode{random: rand.New(rand.NewPCG(seed, 1)), kubelets: newKubelets()}
		s.answersAt = time.Duration(s.random.IntN(60)) * time.Minute
		for i := range 1 + s.random.IntN(10) {
			every := time.Duration(1+s.random.IntN(600)) * time.Second
			s.all = append(s.all, &onNode{on("n1", fmt.Sprint("team-", s.random.IntN(2)), fmt.Sprint(i)), every,
				time.Duration(s.random.Int64N(int64(every))), -1})
		}
		for now := time.Duration(0); now < 2*time.Hour; now += time.Second {
			for _, o := range s.all {
				if now >= o.look || s.random.IntN(500) == 0 {
					s.looksAt(o, now)
				}
			}
		}
		for _, o := range s.all {
			if late := o.read - s.answersAt - o.every; o.read < 0 || late > time.Second {
				t.Fatalf("seed %d: one that is looked at every %s is read %s after its node answers", seed, o.every,
					o.read-s.answersAt)
			}
		}
	}
}

// sharedNode is a node that answers from a moment on, and the pods there.
type sharedNode struct {
	random    *rand.Rand
	kubelets  *kubelets
	answersAt time.Duration
	all       []*onNode
}

// onNode is a pod that is looked at every so often, next at a moment, and was first read at one; less than zero if it
// was not.
type onNode struct {
	pod               *corev1.Pod
	every, look, read time.Duration
}

func (s *sharedNode) looksAt(o *onNode, now time.Duration) {
	next := max(o.every-time.Duration(s.random.IntN(6))*time.Second, time.Second)
	o.look = now + next
	t := Target{Namespace: o.pod.Namespace, Name: o.pod.Name, Now: sixOClock.Add(now), Again: o.every, Next: next}
	switch {
	case s.kubelets.rests(t, o.pod) != nil:
		return
	case now < s.answersAt:
		s.kubelets.finds(t, o.pod, unanswered(silent500, "silent"))
		return
	case o.read < 0:
		o.read = now
	}
	for _, again := range s.kubelets.finds(t, o.pod, nil) {
		for _, other := range s.all {
			if other.pod.Name == again.Name && other.read < 0 {
				other.read = now
			}
		}
	}
}
