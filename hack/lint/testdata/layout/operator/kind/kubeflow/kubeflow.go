package kubeflow

import _ "github.com/kubeflow/training-operator"
