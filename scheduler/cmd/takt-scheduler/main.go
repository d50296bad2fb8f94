// Command takt-scheduler is kube-scheduler with Takt's plugins. It has the flags and the configuration of
// kube-scheduler; config/scheduler has one that suits it.
package main

import (
	"fmt"
	"os"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // metrics of clients
	_ "k8s.io/component-base/metrics/prometheus/version"  // metric of the version
	kubernetes "k8s.io/component-base/version"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"
	"k8s.io/kubernetes/pkg/features"

	"github.com/takt-dev/takt/scheduler/plugin"
	"github.com/takt-dev/takt/scheduler/settings"
	"github.com/takt-dev/takt/version"
)

func main() {
	// By itself it would tell the version of Kubernetes alone. --version=raw still does.
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("takt-scheduler version", version.Of(), "on Kubernetes", kubernetes.Get().GitVersion)
		return
	}
	// With this gate, the node that a pod waits for is written to its status, once for each member of a
	// gang; and a scheduler that starts keeps nodes for what its predecessor had in mind, which nobody
	// may want any more. --feature-gates has the last word.
	if err := utilfeature.DefaultMutableFeatureGate.OverrideDefault(features.NominatedNodeNameForExpectation,
		false); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	takt, gate := plugin.Factories()
	os.Exit(cli.Run(app.NewSchedulerCommand(app.WithPlugin(settings.Plugin, takt), app.WithPlugin(settings.Gate, gate))))
}
