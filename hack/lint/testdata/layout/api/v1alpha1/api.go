package v1alpha1

import (
	_ "k8s.io/apimachinery"
	_ "k8s.io/client-go"               // want depguard "from list api"
	_ "sigs.k8s.io/controller-runtime" // want depguard "from list api"
)
