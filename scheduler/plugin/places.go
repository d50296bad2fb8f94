package plugin

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
)

// selectedNode is the annotation of a PersistentVolumeClaim by which kube-scheduler has its volume made for a node.
const selectedNode = "volume.kubernetes.io/selected-node"

// places says where the volumes and devices are that a pod has already. Those that are yet to be made or chosen may
// come to be wherever it goes.
func (t *Takt) places(pod *corev1.Pod) (places []any) {
	for _, volume := range pod.Spec.Volumes {
		switch {
		case volume.PersistentVolumeClaim != nil:
			places = append(places, t.placeOfVolume(pod.Namespace, volume.PersistentVolumeClaim.ClaimName)...)
		case volume.Ephemeral != nil:
			places = append(places, t.placeOfVolume(pod.Namespace, pod.Name+"-"+volume.Name)...)
		}
	}
	for _, claim := range pod.Spec.ResourceClaims {
		if claim.ResourceClaimName != nil {
			places = append(places, t.placeOfDevices(pod.Namespace, *claim.ResourceClaimName)...)
		}
	}
	for _, made := range pod.Status.ResourceClaimStatuses {
		if made.ResourceClaimName != nil {
			places = append(places, t.placeOfDevices(pod.Namespace, *made.ResourceClaimName)...)
		}
	}
	return places
}

// placeOfVolume is where the volume of a claim is, or is about to be made. Of what cannot be read the filters will
// tell.
func (t *Takt) placeOfVolume(namespace, name string) []any {
	core := t.handle.SharedInformerFactory().Core().V1()
	claim, err := core.PersistentVolumeClaims().Lister().PersistentVolumeClaims(namespace).Get(name)
	if err != nil {
		return nil
	}
	if claim.Spec.VolumeName == "" {
		if node := claim.Annotations[selectedNode]; node != "" {
			return []any{node}
		}
		return nil
	}
	volume, err := core.PersistentVolumes().Lister().Get(claim.Spec.VolumeName)
	if err != nil {
		return nil
	}
	where := maps.Clone(volume.Labels)
	maps.DeleteFunc(where, func(key, _ string) bool {
		switch key {
		case corev1.LabelTopologyZone, corev1.LabelTopologyRegion, corev1.LabelFailureDomainBetaZone,
			corev1.LabelFailureDomainBetaRegion:
			return false
		}
		return true
	})
	return []any{volume.Spec.NodeAffinity, where}
}

// placeOfDevices is where the devices of a claim are, once they are chosen.
func (t *Takt) placeOfDevices(namespace, name string) []any {
	manager := t.handle.SharedDRAManager()
	if manager == nil {
		return nil
	}
	claim, err := manager.ResourceClaims().Get(namespace, name)
	if err != nil || claim.Status.Allocation == nil {
		return nil
	}
	return []any{claim.Status.Allocation.NodeSelector}
}
