// Package contract is what the agent in a pod and the operator outside of it have agreed on: what is
// written on the pod, where the agent finds it, and what the agent serves. It depends on nothing, so
// that both can import it.
//
// The operator speaks to the agent by annotations on its pod, which the kubelet writes into a file.
// The agent answers by its metrics, which the operator reads from one pod of a job. So nothing listens
// on the operator for pods to call.
//
// What comes in are values of annotations, as text; what goes out is what they mean, and text again.
package contract
