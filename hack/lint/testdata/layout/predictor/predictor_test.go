package predictor

import (
	_ "github.com/google/go-cmp"
	_ "k8s.io/client-go" // want depguard "from list core-tests"
)
