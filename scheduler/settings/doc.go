// Package settings is what may be chosen about Takt's plugin: the args of its pluginConfig in a
// KubeSchedulerConfiguration. Whatever is left out has its default; whatever makes no sense is refused
// with its name.
//
// What comes in are the args, as kube-scheduler hands them over; what goes out are settings that the plugin can work
// with, or all that is wrong with them.
package settings
