package plugin

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	fwk "k8s.io/kube-scheduler/framework"
)

// near are the nodes of one name.
func near(node string) *corev1.NodeSelector {
	return &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchExpressions: []corev1.NodeSelectorRequirement{
			{Key: "name", Operator: corev1.NodeSelectorOpIn, Values: []string{node}},
		},
	}}}
}

// store has the volumes and devices of a stage.
type store struct {
	informers.SharedInformerFactory
	fwk.SharedDRAManager
	fwk.ResourceClaimTracker
	claims map[string]*resourceapi.ResourceClaim
}

func newStore() *store {
	return &store{SharedInformerFactory: informers.NewSharedInformerFactory(fake.NewClientset(), 0),
		claims: map[string]*resourceapi.ResourceClaim{}}
}

func (s *store) ResourceClaims() fwk.ResourceClaimTracker { return s }

func (s *store) Get(namespace, name string) (*resourceapi.ResourceClaim, error) {
	if claim := s.claims[namespace+"/"+name]; claim != nil {
		return claim, nil
	}
	return nil, fmt.Errorf("there is no ResourceClaim %s", name)
}

// volume gives a pod a volume of its own, which is bound to one of a node, or is yet to be made.
func (s *store) volume(t *testing.T, pod *corev1.Pod, node string) {
	t.Helper()
	pod.Spec.Volumes = []corev1.Volume{{Name: "data"}}
	pod.Spec.Volumes[0].Ephemeral = &corev1.EphemeralVolumeSource{}
	volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "volume-" + pod.Name}}
	claim := &corev1.PersistentVolumeClaim{}
	claim.Namespace, claim.Name = pod.Namespace, pod.Name+"-data"
	if node != "" {
		volume.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: near(node)}
		claim.Spec.VolumeName = volume.Name
	}
	core := s.Core().V1()
	if err := core.PersistentVolumes().Informer().GetIndexer().Add(volume); err != nil {
		t.Fatal(err)
	}
	if err := core.PersistentVolumeClaims().Informer().GetIndexer().Add(claim); err != nil {
		t.Fatal(err)
	}
}

// device gives a pod a device of its own, which is one of a node, or is yet to be chosen.
func (s *store) device(pod *corev1.Pod, node string) {
	name := pod.Name + "-gpu"
	pod.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimTemplateName: new("gpu")}}
	pod.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: "gpu", ResourceClaimName: &name}}
	claim := &resourceapi.ResourceClaim{}
	if node != "" {
		claim.Status.Allocation = &resourceapi.AllocationResult{NodeSelector: near(node)}
	}
	s.claims[pod.Namespace+"/"+name] = claim
}

// Each worker has a volume or a device of its own, and these are on different nodes: the volumes were made at once, or
// a gang could not be bound after its volumes and devices were. Each worker goes to what it has.
func TestPodsGoToTheirOwnVolumesAndDevices(t *testing.T) {
	for name, own := range map[string]func(s *store, t *testing.T, pod *corev1.Pod, node string){
		"volumes": (*store).volume,
		"devices": func(s *store, _ *testing.T, pod *corev1.Pod, node string) { s.device(pod, node) },
	} {
		for made, kinds := range map[bool]int{true: 3, false: 1} {
			s := newStage(3, func(*corev1.Pod, fwk.NodeInfo) bool { return false })
			s.store = newStore()
			want := map[string]string{}
			turn := s.pods(6, func(i int, p *corev1.Pod) {
				node := ""
				if made {
					node = fmt.Sprint("node-", i%3)
					want[string(p.UID)] = node
				}
				own(s.store, t, p, node)
			})
			s.kept = func(p *corev1.Pod) map[string]string {
				if node := want[string(p.UID)]; node != "" {
					return map[string]string{"name": node}
				}
				return nil
			}
			found, err := s.takt.try(t.Context(), turn)
			if err != nil {
				t.Fatal(err)
			}
			if len(found.nodes) != 6 || len(found.trial.classes) != kinds {
				t.Errorf("%s that are there (%v): %d of 6 pods fit, as %d kinds, want %d; %s", name, made, len(found.nodes),
					len(found.trial.classes), kinds, found.why)
			}
			for uid, node := range found.nodes {
				if where := want[string(uid)]; where != "" && where != node {
					t.Errorf("%s: %s is to go to %s, but what it has is on %s", name, uid, node, where)
				}
			}
		}
	}
}
