package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of every kind in this package.
var GroupVersion = schema.GroupVersion{Group: "takt.dev", Version: "v1alpha1"}

// AddToScheme teaches a scheme the kinds of this package.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion,
		&ElasticJob{}, &ElasticJobList{},
		&Resize{}, &ResizeList{},
		&TrainingQueue{}, &TrainingQueueList{},
		&TrainingProfile{}, &TrainingProfileList{},
	)
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
