// Package kubeflow has the kinds of jobs of Kubeflow's training-operator: PyTorchJob and TFJob.
//
// In comes a job as the API server has it; out goes what it says of itself, and the patch that asks it for a size.
package kubeflow
