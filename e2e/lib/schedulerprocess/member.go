package schedulerprocess

import (
	"encoding/json"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// indexLabel is where these pods have their index.
const indexLabel = "example.com/index"

// Member makes a pod the worker of an index in the gang of a job, as the operator and training-operator
// would.
func Member(t testing.TB, pod *corev1.Pod, job string, index int, gang v1alpha1.Gang) {
	t.Helper()
	gang.Stage = "Forward"
	text, err := json.Marshal(gang)
	if err != nil {
		t.Fatal(err)
	}
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	pod.Annotations[v1alpha1.GangAnnotation] = string(text)
	pod.Labels = map[string]string{
		v1alpha1.ElasticJobLabel: job, v1alpha1.EpochLabel: strconv.FormatInt(gang.Epoch, 10),
		v1alpha1.RoleLabel: v1alpha1.RoleWorker, indexLabel: strconv.Itoa(index),
	}
	pod.Annotations[v1alpha1.NumberedByAnnotation] = indexLabel
}
