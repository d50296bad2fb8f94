// Package v1alpha1 is the API of Takt: what people ask of a training job (ElasticJob), how
// every change of its size went (Resize), who may use how many GPUs (TrainingQueue), and what
// was learned of a piece of training code (TrainingProfile).
//
// What comes in are objects as people and the operator write them; what goes out are the same with their defaults, or
// what is wrong with them.
//
// All rules about these objects are in their schemas, as limits and CEL expressions, so the API
// server itself refuses what is wrong, and no webhook has to be up for anything to be created.
//
// +kubebuilder:object:generate=true
// +groupName=takt.dev
package v1alpha1
