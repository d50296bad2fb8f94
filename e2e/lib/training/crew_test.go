package training

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/agent/contract"
)

const (
	elastic   = `{elasticPolicy: {minReplicas: 2}, pytorchReplicaSpecs: {Worker: {replicas: 3}}}`
	withHead  = `{elasticPolicy: {}, pytorchReplicaSpecs: {Master: {}, Worker: {replicas: 3}}}`
	rigid     = `{pytorchReplicaSpecs: {Master: {replicas: 1}, Worker: {replicas: 2}}}`
	servers   = `{enableDynamicWorker: true, tfReplicaSpecs: {PS: {replicas: 1}, Worker: {replicas: 2}}}`
	mirrored  = `{tfReplicaSpecs: {Worker: {replicas: 2}}}`
	evaluated = `{tfReplicaSpecs: {Worker: {replicas: 2}, Evaluator: {replicas: 1}}}`
)

func TestWhoTrainsTogether(t *testing.T) {
	cases := map[string]struct {
		spec string
		pods string // role-index, and ! for one that does not run
		want int
	}{
		"all":                        {elastic, "worker-0 worker-1 worker-2", 3},
		"fewer go on":                {elastic, "worker-0 worker-1 worker-2!", 2},
		"fewer than the least":       {elastic, "worker-0 worker-1! worker-2!", 0},
		"nobody to meet at":          {elastic, "worker-0! worker-1 worker-2", 0},
		"more than declared":         {elastic, "worker-0 worker-1 worker-2 worker-3", 4},
		"a master and live workers":  {withHead, "master-0 worker-0 worker-1!", 2},
		"no master":                  {withHead, "master-0! worker-0 worker-1", 0},
		"rigid":                      {rigid, "master-0 worker-0 worker-1", 3},
		"rigid, one missing":         {rigid, "master-0 worker-0 worker-1!", 0},
		"servers train nothing":      {servers, "ps-0 worker-0 worker-1", 2},
		"live without a worker":      {servers, "ps-0 worker-0 worker-1!", 1},
		"no server":                  {servers, "worker-0 worker-1", 0},
		"all of a mirrored training": {mirrored, "worker-0 worker-1", 2},
		"one too few for mirroring":  {mirrored, "worker-0", 0},
		"an evaluator is not needed": {evaluated, "worker-0 worker-1", 2},
		"nobody":                     {elastic, "", 0},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			text, err := yaml.YAMLToJSON([]byte("{kind: PyTorchJob, spec: " + test.spec + "}"))
			if err != nil {
				t.Fatal(err)
			}
			job := &unstructured.Unstructured{}
			if err := job.UnmarshalJSON(text); err != nil {
				t.Fatal(err)
			}
			var pods []*corev1.Pod
			for word := range strings.FieldsSeq(test.pods) {
				pods = append(pods, podNamed(word))
			}
			if got := declares(job).crew(pods); got.Workers != test.want {
				t.Errorf("%d train, want %d: %+v", got.Workers, test.want, got)
			}
		})
	}
}

func podNamed(word string) *corev1.Pod {
	name, down := strings.CutSuffix(word, "!")
	role, index, _ := strings.Cut(name, "-")
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, UID: types.UID(name), Labels: map[string]string{roleLabel: role, rankLabel: index},
		},
		Status: corev1.PodStatus{
			Phase:      corev1.PodRunning,
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
		},
	}
	if down {
		pod.Status.Phase = corev1.PodPending
	}
	return pod
}

func TestAPodThatIsToldToGoOrIsLostDoesNotTrain(t *testing.T) {
	cases := map[string]func(*corev1.Pod){
		"told to go": func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} },
		"lost":       func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse },
		"done":       func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded },
		"held back":  func(p *corev1.Pod) { p.Annotations = map[string]string{contract.AgentAnnotation: "true"} },
	}
	if !running(podNamed("worker-0")) {
		t.Error("a pod that runs does not train")
	}
	admitted := podNamed("worker-0")
	admitted.Annotations = map[string]string{contract.AgentAnnotation: "true", contract.LetInAnnotation: "1"}
	if !running(admitted) {
		t.Error("a pod that was let in does not train")
	}
	for name, change := range cases {
		pod := podNamed("worker-0")
		change(pod)
		if running(pod) {
			t.Errorf("a pod that is %s trains", name)
		}
	}
}
