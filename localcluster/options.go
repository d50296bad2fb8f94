package localcluster

import (
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Options are what a cluster is made of.
type Options struct {
	// Nodes is the number of simulated GPU nodes.
	Nodes int `json:"nodes"`
	// Kubelets is the number of real nodes beside them, with a kubelet and a container runtime each.
	Kubelets int `json:"kubelets,omitempty"`
	// GPUsPerNode is the number of GPUs of each node.
	GPUsPerNode int `json:"gpusPerNode"`
	// GPUProduct is what kind of GPU they are, as NVIDIA's feature discovery labels it.
	GPUProduct string `json:"gpuProduct"`
	// Racks and Zones are how many there are: neighbouring nodes share a rack, neighbouring
	// racks a zone.
	Racks int `json:"racks"`
	Zones int `json:"zones"`
	// Scheduler is a binary to run in the place of kube-scheduler; empty for kube-scheduler.
	Scheduler string `json:"scheduler,omitempty"`
	// SchedulerConfig is a KubeSchedulerConfiguration file; empty for the defaults.
	SchedulerConfig string `json:"schedulerConfig,omitempty"`
	// FeatureGates are those of Kubernetes that are not as they are by default, for all its components: A=true,B=false.
	FeatureGates string `json:"featureGates,omitempty"`
	// RuntimeConfig are the APIs that kube-apiserver serves beside those that it does by default:
	// scheduling.k8s.io/v1beta1=true.
	RuntimeConfig string `json:"runtimeConfig,omitempty"`
}

// DefaultOptions are a small cluster: eight nodes of eight GPUs in two racks.
func DefaultOptions() Options {
	return Options{Nodes: 8, GPUsPerNode: 8, GPUProduct: "NVIDIA-A100-SXM4-80GB", Racks: 2, Zones: 1}
}

// validate says in one sentence what is wrong with the options and what is allowed, and makes
// their paths independent of the working folder.
func (o *Options) validate() error {
	switch {
	case o.Nodes < 0 || o.Nodes > 10_000:
		return fmt.Errorf("--nodes is %d: give a number from 0 to 10000", o.Nodes)
	case o.Kubelets < 0 || o.Kubelets > maxKubelets:
		return fmt.Errorf("--kubelets is %d: give a number from 0 to %d", o.Kubelets, maxKubelets)
	case o.GPUsPerNode < 0 || o.GPUsPerNode > 64:
		return fmt.Errorf("--gpus-per-node is %d: give a number from 0 to 64", o.GPUsPerNode)
	case o.Racks < 1:
		return fmt.Errorf("--racks is %d: give 1 or more", o.Racks)
	case o.Zones < 1 || o.Zones > o.Racks:
		return fmt.Errorf("--zones is %d and --racks is %d: give 1 or more zones, and no more than racks, since a rack "+
			"lies in one zone", o.Zones, o.Racks)
	}
	if problems := validation.IsValidLabelValue(o.GPUProduct); o.GPUProduct == "" || len(problems) > 0 {
		return fmt.Errorf("--gpu-product is %q: give the value of a label, such as %s", o.GPUProduct,
			DefaultOptions().GPUProduct)
	}
	for flag, path := range map[string]*string{"--scheduler": &o.Scheduler, "--scheduler-config": &o.SchedulerConfig} {
		if *path == "" {
			continue
		}
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		info, err := os.Stat(absolute)
		if err != nil || info.IsDir() || (flag == "--scheduler" && info.Mode()&0o111 == 0) {
			return fmt.Errorf("%s is %q: give the path of a file that can be %s", flag, *path,
				map[bool]string{true: "run", false: "read"}[flag == "--scheduler"])
		}
		*path = absolute
	}
	return nil
}
