package training

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Logs are what the first workers of trainings have written. Those of pods that are gone stay.
type Logs struct {
	mutex sync.Mutex
	of    map[types.NamespacedName]*output
}

// output is that of one pod.
type output struct {
	pod   types.UID
	lines []string
}

// mostLines are kept of a log.
const mostLines = 500

// Tail is the end of what a pod has written, each line with its time.
func (l *Logs) Tail(pod types.NamespacedName, lines int) string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.of[pod] == nil {
		return ""
	}
	all := l.of[pod].lines
	return strings.Join(all[max(0, len(all)-lines):], "")
}

func (l *Logs) write(pod *corev1.Pod, lines []Line) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.of == nil {
		l.of = map[types.NamespacedName]*output{}
	}
	name := types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}
	o := l.of[name]
	if o == nil || o.pod != pod.UID {
		o = &output{pod: pod.UID}
		l.of[name] = o
	}
	for _, line := range lines {
		o.lines = append(o.lines, line.At.UTC().Format(time.RFC3339Nano)+" "+line.Text+"\n")
	}
	o.lines = o.lines[max(0, len(o.lines)-mostLines):]
}

// first is the pod that writes the log: a master or chief, or the worker with the least index.
func first(pods []*corev1.Pod) *corev1.Pod {
	rank := func(p *corev1.Pod) int {
		n, _ := strconv.Atoi(rankOf(p))
		return n
	}
	return slices.MinFunc(pods, func(a, b *corev1.Pod) int {
		return cmp.Or(cmp.Compare(roleOf(a), roleOf(b)), cmp.Compare(rank(a), rank(b)))
	})
}
