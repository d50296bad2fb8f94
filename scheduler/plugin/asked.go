package plugin

import (
	"fmt"

	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"

	"github.com/takt-dev/takt/scheduler/settings"
)

// plugins tells which plugins of a profile are asked, in their order. The handle that plugins are given can do so,
// though its interface does not tell.
type plugins interface {
	ListPlugins() *config.Plugins
}

// askedFirst refuses a profile in which another plugin is asked first what to do about a pod that has found no node:
// kube-scheduler's own would preempt others for a member of a gang.
func askedFirst(handle fwk.Handle) error {
	all, tells := handle.(plugins)
	if !tells {
		return nil
	}
	if asked := all.ListPlugins().PostFilter.Enabled; len(asked) > 0 && asked[0].Name == settings.Plugin {
		return nil
	}
	return fmt.Errorf("profile %s does not ask plugin %s first at postFilter, so that pods would be preempted for gangs: "+
		"enable %s there by itself, beside multiPoint", handle.ProfileName(), settings.Plugin, settings.Plugin)
}
