// The layout in miniature: every file breaks one rule, or shows what the rule allows. The modules
// from outside are empty stand-ins, so that nothing has to be downloaded to judge an import.
module github.com/takt-dev/takt

go 1.26.0

require (
	github.com/google/go-cmp v0.0.0
	github.com/kubeflow/training-operator v0.0.0
	gonum.org/v1/gonum v0.0.0
	k8s.io/apimachinery v0.0.0
	k8s.io/client-go v0.0.0
	k8s.io/kubernetes v0.0.0
	sigs.k8s.io/controller-runtime v0.0.0
)

replace (
	github.com/google/go-cmp => ./thirdparty/go-cmp
	github.com/kubeflow/training-operator => ./thirdparty/training-operator
	gonum.org/v1/gonum => ./thirdparty/gonum
	k8s.io/apimachinery => ./thirdparty/apimachinery
	k8s.io/client-go => ./thirdparty/client-go
	k8s.io/kubernetes => ./thirdparty/kubernetes
	sigs.k8s.io/controller-runtime => ./thirdparty/controller-runtime
)
