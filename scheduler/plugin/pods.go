package plugin

import (
	"encoding/json"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/settings"
)

// Pods that carry one of these, or a schedulingGroup, belong to the gang of another system: that of
// scheduler-plugins in its present and its first release, and Volcano's.
var (
	foreignLabels     = []string{"scheduling.x-k8s.io/pod-group", "pod-group.scheduling.sigs.k8s.io"}
	foreignAnnotation = "scheduling.k8s.io/group-name"
)

// foreign says that a pod belongs to a gang of another system.
//
// Kubernetes' own gangs are told by spec.schedulingGroup. The PodGroup that it names (v1.37, feature gate
// GenericWorkload) is placed by kube-scheduler itself, in one cycle for all its pods, through the
// extension points PlacementGenerate, PlacementScore and PlacementFeasible; Less gets it as one entity.
// Its minCount cannot change, and counts pods that run: the delta of a gang that grows would be bound
// one by one. Once that is different, this is the place to begin: Takt would make a PodGroup for each
// gang, with the pods of one resize; the trial in thought becomes a PlacementGenerate that offers the
// domains which pack looks at now, its cost a PlacementScore, and package gang goes.
func foreign(pod *corev1.Pod) bool {
	if pod.Spec.SchedulingGroup != nil || pod.Annotations[foreignAnnotation] != "" {
		return true
	}
	for _, label := range foreignLabels {
		if pod.Labels[label] != "" {
			return true
		}
	}
	return false
}

// member says whether a pod is one that Takt has brought about, and not left to another system. A pod with a
// schedulingGroup always is: kube-scheduler places its group as a whole, and to hold one pod of it back
// would hold them all.
func (h *sharedState) member(pod *corev1.Pod) bool {
	return pod.Labels[v1alpha1.EpochLabel] != "" && pod.Labels[v1alpha1.ElasticJobLabel] != "" && !copied(pod) &&
		(!foreign(pod) || h.settings.Gangs.Foreign == settings.Include && pod.Spec.SchedulingGroup == nil)
}

// copied says that what a pod carries of Takt is that of another job: its manifest was read from the cluster
// and used again.
func copied(pod *corev1.Pod) bool {
	var declared v1alpha1.Gang
	if json.Unmarshal([]byte(pod.Annotations[v1alpha1.GangAnnotation]), &declared) != nil || declared.Job == "" {
		return false
	}
	owner := metav1.GetControllerOf(pod)
	return owner == nil || owner.UID != declared.Job
}

// read is a member as the book knows it.
func read(pod *corev1.Pod) gang.Pod {
	epoch, _ := strconv.ParseInt(pod.Labels[v1alpha1.EpochLabel], 10, 64)
	index, _ := strconv.Atoi(pod.Labels[pod.Annotations[v1alpha1.NumberedByAnnotation]])
	p := gang.Pod{
		UID: gang.UID(pod.UID), Name: pod.Name,
		Change: gang.Change{Namespace: pod.Namespace, Job: pod.Labels[v1alpha1.ElasticJobLabel], Epoch: epoch},
		Leader: pod.Labels[v1alpha1.RoleLabel] == v1alpha1.RoleLeader, Index: index,
		Node: pod.Spec.NodeName, Made: pod.CreationTimestamp.Time,
		Leaving: pod.DeletionTimestamp != nil || pod.Annotations[v1alpha1.DrainingAnnotation] != "" || ended(pod),
		Runs:    pod.Status.Phase == corev1.PodRunning,
		Gated:   len(pod.Spec.SchedulingGates) > 0 || lacksClaims(pod), Generation: pod.Generation,
	}
	if owner := metav1.GetControllerOf(pod); owner != nil {
		p.Owner = gang.UID(owner.UID)
	}
	var declared v1alpha1.Gang
	if err := json.Unmarshal([]byte(pod.Annotations[v1alpha1.GangAnnotation]), &declared); err == nil &&
		declared.Pods > 0 {
		p.Declared = gang.Declared{
			Epoch: declared.Epoch, Stage: declared.Stage, First: int(declared.First), Pods: int(declared.Pods),
		}
		p.Late = declared.Late
	}
	return p
}

// ended says that a pod has no use for its node any more.
func ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// uidOf is the UID of a pod as the book has it.
func uidOf(pod *corev1.Pod) gang.UID { return gang.UID(pod.UID) }
