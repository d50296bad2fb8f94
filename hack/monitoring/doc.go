// Package monitoring tests config/monitoring: that dashboards and alerts are about metrics that there are, and that
// alerts fire when they should. Below it, dashboards are made from their descriptions. It is a module of its own, so
// that nothing else depends on Prometheus.
//
// What comes in are the files of config/monitoring, and the metrics that programs of Takt serve; what goes out are
// tests that fail where the two do not go together.
package monitoring
