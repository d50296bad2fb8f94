package main

import (
	"fmt"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/version"
)

// connect says how to reach the cluster: as the file says, else as kubectl would, else as a pod of the
// cluster.
func connect(kubeconfig string, api settings.API) (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, fmt.Errorf("this is no pod of a cluster, and no file says how to reach one: give --kubeconfig: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot tell how to reach the cluster: %w", err)
	}
	config.QPS, config.Burst = api.QPS, api.Burst
	config.UserAgent = "takt-operator/" + version.Of()
	return config, nil
}
