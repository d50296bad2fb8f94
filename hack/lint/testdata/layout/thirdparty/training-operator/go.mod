module github.com/kubeflow/training-operator

go 1.26.0
