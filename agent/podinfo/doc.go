// Package podinfo reads the annotations of the pod from the file that the kubelet writes for it.
//
// What comes in is the path of that file; what goes out are annotations, and what of the file cannot be read.
package podinfo
