// Package localcluster runs a real Kubernetes control plane on one machine, without Docker and
// without root: etcd, kube-apiserver, kube-controller-manager, kube-scheduler and Kubeflow's
// training-operator as ordinary processes on loopback, and KWOK in the place of GPU nodes and
// their kubelets.
//
// Everything a cluster has is in one folder: its settings, keys, logs and data. No process
// supervises it. Each component is started with arguments that follow from the settings alone,
// so any later process can stop it, kill it or start it again.
//
// With root there can be real nodes beside the simulated ones, for pods that are real processes. Each node is a
// process with namespaces of its own (package machine), in which containerd, kubelet and kube-proxy run.
//
// What comes in are a folder and Options; what goes out is a cluster that runs, its kubeconfig, and what each component
// has printed.
package localcluster
