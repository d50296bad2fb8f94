package progress

import (
	"net"
	"net/url"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/operator/kind"
)

// first is the worker that is read: the one that speaks for the training, which comes first.
func first(t Target) (*corev1.Pod, error) {
	if len(t.Pods) == 0 {
		return nil, fail(ErrNone, "no worker runs")
	}
	return t.Pods[0], nil
}

// serving is the first worker, of a source that it serves: one that has ended serves nothing any more.
func serving(t Target) (*corev1.Pod, error) {
	pod, err := first(t)
	if err == nil && over(t) {
		return nil, fail(errNotOffered, "pod %s has ended: it serves nothing any more", pod.Name)
	}
	return pod, err
}

// over says that the first worker has ended. What it has written may still be there.
func over(t Target) bool {
	pod, err := first(t)
	return err == nil && (pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed)
}

// endpoint is the URL of a port and path of a pod.
func endpoint(pod *corev1.Pod, port int, path string) (*url.URL, error) {
	if pod.Status.PodIP == "" {
		return nil, fail(ErrNone, "pod %s has no address yet", pod.Name)
	}
	// A path may have a query, but must not name a host: it is whoever made the pod who wrote it.
	target, err := url.ParseRequestURI(path)
	if err != nil || target.Scheme != "" || target.Host != "" {
		return nil, fail(ErrGarbage, "%q is no path of an HTTP endpoint: give one such as /metrics", shortened(path))
	}
	target.Scheme, target.Host = "http", net.JoinHostPort(pod.Status.PodIP, strconv.Itoa(port))
	return target, nil
}

// annotatedPort is the port that an annotation of a pod says; 0 if there is none.
func annotatedPort(pod *corev1.Pod, annotation string) (int, error) {
	text, ok := pod.Annotations[annotation]
	if !ok {
		return 0, nil
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil || port == 0 {
		return 0, fail(ErrGarbage, "annotation %s of pod %s is %q, but must be a port from 1 to 65535", annotation, pod.Name,
			shortened(text))
	}
	return int(port), nil
}

// Trainer is the name of the container that trains, of which one may be usual for its kind of job.
func Trainer(pod *corev1.Pod, usual string) string {
	c := kind.Trainer(pod.Annotations, &pod.Spec, usual)
	if c == nil {
		return ""
	}
	return c.Name
}

// RunSince is since when all of some workers run.
func RunSince(running []*corev1.Pod) (last time.Time) {
	for _, pod := range running {
		if at := pod.Status.StartTime; at != nil && at.After(last) {
			last = at.Time
		}
	}
	return last
}

// sharedLabels are the labels that all pods have in common: a selector that finds them all.
func sharedLabels(pods []*corev1.Pod) map[string]string {
	shared := map[string]string{}
	if len(pods) == 0 {
		return shared
	}
	for key, value := range pods[0].Labels {
		if !slices.ContainsFunc(pods, func(p *corev1.Pod) bool { other, ok := p.Labels[key]; return !ok || other != value }) {
			shared[key] = value
		}
	}
	return shared
}

// named finds the pod of a name.
func named(pods []*corev1.Pod, name string) *corev1.Pod {
	i := slices.IndexFunc(pods, func(p *corev1.Pod) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return pods[i]
}
