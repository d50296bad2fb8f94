package settings

import (
	"fmt"
	"maps"
	"math"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

func (c *checks) scope(s Settings) {
	for i, name := range s.Namespaces {
		c.namespace(fmt.Sprintf("namespaces[%d]", i), name)
		c.must(slices.Index(s.Namespaces, name) == i, fmt.Sprintf("namespaces[%d]", i), name,
			"another: each namespace is named once")
	}
	for _, label := range slices.Sorted(maps.Keys(s.NodeSelector)) {
		c.label("a key of nodeSelector", label)
		value := s.NodeSelector[label]
		c.must(len(validation.IsValidLabelValue(value)) == 0, "nodeSelector["+label+"]", value,
			"the value of a label: at most 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit")
	}
	// Local would be the zone of whichever machine the operator runs on.
	c.must(s.TimeZone == "" || s.TimeZone != "Local" && s.Zone() != nil, "timeZone", s.TimeZone,
		"UTC or a place of the time zone database, such as Europe/Berlin, or empty for none")
}

func (c *checks) gpus(g GPUs) {
	c.must(len(g.Resources) > 0, "gpus.resources", g.Resources, "one name or more, such as nvidia.com/gpu")
	for i, name := range g.Resources {
		key := fmt.Sprintf("gpus.resources[%d]", i)
		c.must(strings.Contains(name, "/") && len(validation.IsQualifiedName(name)) == 0, key, name,
			"the name of an extended resource, such as nvidia.com/gpu")
		c.must(slices.Index(g.Resources, name) == i, key, name, "another: each resource is named once")
	}
	c.label("gpus.productLabel", g.ProductLabel)
	for _, product := range slices.Sorted(maps.Keys(g.Prices)) {
		c.must(product != "", "a key of gpus.prices", product,
			`the product of GPUs, such as NVIDIA-A100-SXM4-80GB, or "*" for all others`)
		c.number("gpus.prices["+product+"]", g.Prices[product])
	}
}

func (c *checks) leavingNodes(l LeavingNodes) {
	for i, key := range l.Taints {
		c.must(len(validation.IsQualifiedName(key)) == 0, fmt.Sprintf("leavingNodes.taints[%d]", i), key,
			"the key of a taint, such as cloud.google.com/impending-node-termination")
	}
	for i, kind := range l.Conditions {
		c.must(kind != "" && kind != string(corev1.NodeReady), fmt.Sprintf("leavingNodes.conditions[%d]", i), kind,
			"the type of a condition that is True where a node is about to go, such as PreemptScheduled")
	}
}

func (c *checks) outsiders(o Outsiders) {
	c.must(o.After.Duration >= 0, "outsiders.after", o.After.Duration, "0s or longer")
	c.positive("outsiders.usedWithin", o.UsedWithin.Duration)
	for key, pools := range map[string]map[string]int64{"outsiders.most": o.Most, "outsiders.reserve": o.Reserve} {
		for _, pool := range slices.Sorted(maps.Keys(pools)) {
			c.number(key+"["+pool+"]", float64(pools[pool]))
		}
	}
}

func (c *checks) planning(p Planning) {
	c.positive("planning.settle", p.Settle.Duration)
	c.positive("planning.every", p.Every.Duration)
	c.shorter("planning.settle", p.Settle.Duration, "planning.every", p.Every.Duration)
	c.number("planning.promiseShare", p.PromiseShare)
	c.number("planning.payback", p.Payback)
	c.number("planning.cooldown", p.Cooldown)
	c.positive("planning.assumedPause", p.AssumedPause.Duration)
}

func (c *checks) progress(p Progress) {
	c.positive("progress.every", p.Every.Duration)
	c.positive("progress.timeout", p.Timeout.Duration)
	c.number("progress.maxBytes", float64(p.MaxBytes))
	c.positive("progress.staleAfter", p.StaleAfter.Duration)
	c.shorter("progress.every", p.Every.Duration, "progress.staleAfter", p.StaleAfter.Duration)
}

func (c *checks) usage(u Usage) {
	c.positive("usage.every", u.Every.Duration)
	c.must(u.GPUMetric != "", "usage.gpuMetric", u.GPUMetric, "the name of a metric, such as DCGM_FI_DEV_GPU_UTIL")
	c.number("usage.idleBelowPercent", u.IdleBelowPercent)
	c.positive("usage.idleFor", u.IdleFor.Duration)
	c.shorter("usage.every", u.Every.Duration, "usage.idleFor", u.IdleFor.Duration)
}

// resizes must not let anything through that resize.Limits.Validate refuses.
func (c *checks) resizes(r Resizes) {
	c.number("resizes.keep", float64(r.Keep))
	c.positive("resizes.retryAfter", r.RetryAfter.Duration)
	c.positive("resizes.settleAfter", r.SettleAfter.Duration)
	c.positive("resizes.placeWithin", r.PlaceWithin.Duration)
	c.positive("resizes.readyWithin", r.ReadyWithin.Duration)
	c.positive("resizes.acknowledgeWithin", r.AcknowledgeWithin.Duration)
	c.positive("resizes.checkpointWithin", r.CheckpointWithin.Duration)
	c.positive("resizes.checkpointFresh", r.CheckpointFresh.Duration)
	c.positive("resizes.drainWithin", r.DrainWithin.Duration)
	c.positive("resizes.stopWithin", r.StopWithin.Duration)
	c.positive("resizes.verifyWithin", r.VerifyWithin.Duration)
	c.positive("resizes.startWithin", r.StartWithin.Duration)
	c.positive("resizes.steadyFor", r.SteadyFor.Duration)
	c.shorter("resizes.settleAfter", r.SettleAfter.Duration, "resizes.placeWithin", r.PlaceWithin.Duration)
	c.shorter("resizes.acknowledgeWithin", r.AcknowledgeWithin.Duration, "resizes.checkpointWithin",
		r.CheckpointWithin.Duration)
	c.shorter("resizes.steadyFor", r.SteadyFor.Duration, "resizes.verifyWithin", r.VerifyWithin.Duration)
	c.shorter("resizes.steadyFor", r.SteadyFor.Duration, "resizes.startWithin", r.StartWithin.Duration)
}

// What a reference cannot have, the kubelet would find out in each pod of each job.
func (c *checks) agent(a Agent) {
	c.must(a.Image == "" || len(a.Image) <= 255 && !strings.ContainsAny(a.Image, " \t\n\"'") && !strings.Contains(a.Image,
		"://"), "agent.image", a.Image,
		"the reference of an image, such as registry.example.com/takt-agent:1.2, or empty for none")
}

func (c *checks) records(r Records) {
	c.number("records.keep", float64(r.Keep))
	if r.Namespace != "" {
		c.namespace("records.namespace", r.Namespace)
	}
	c.must(r.Folder == "" || filepath.IsAbs(r.Folder), "records.folder", r.Folder,
		"the path of a folder, such as /var/lib/takt/records, or empty for none")
	c.number("records.folderMiB", float64(r.FolderMiB))
}

func (c *checks) elasticJobs(e ElasticJobs) {
	ttl := e.TTLAfterFinished.Duration
	c.must(ttl >= 0, "elasticJobs.ttlAfterFinished", ttl, "0s, which keeps them, or longer")
}

// Leases count whole seconds, and the leader's tries are up to a fifth later than retryPeriod says:
// the client library refuses what does not leave room for that.
const retryJitter = 1.2

func (c *checks) leaderElection(l LeaderElection) {
	if l.Namespace != "" {
		c.namespace("leaderElection.namespace", l.Namespace)
	}
	c.must(len(validation.IsDNS1123Subdomain(l.Name)) == 0, "leaderElection.name", l.Name,
		"the name of a Lease: small letters, digits, '-' and '.', such as takt-operator")
	lease, renew, retry := l.LeaseDuration.Duration, l.RenewDeadline.Duration, l.RetryPeriod.Duration
	c.must(lease >= time.Second && lease%time.Second == 0, "leaderElection.leaseDuration", lease,
		"whole seconds, one or more")
	c.positive("leaderElection.renewDeadline", renew)
	c.shorter("leaderElection.renewDeadline", renew, "leaderElection.leaseDuration", lease)
	if c.positive("leaderElection.retryPeriod", retry) && renew > 0 {
		c.must(float64(retry)*retryJitter < float64(renew), "leaderElection.retryPeriod", retry,
			fmt.Sprintf("shorter than 5/6 of leaderElection.renewDeadline, which is %s", renew))
	}
}

func (c *checks) endpoints(m Metrics, h Health) {
	c.address("metrics.bindAddress", m.BindAddress)
	c.address("health.bindAddress", h.BindAddress)
	_, port, err := net.SplitHostPort(m.BindAddress)
	c.must(err != nil || port == "0" || m.BindAddress != h.BindAddress, "health.bindAddress", h.BindAddress,
		"another than metrics.bindAddress")
	c.must(m.CertDir == "" || m.Secure, "metrics.certDir", m.CertDir, "empty where metrics.secure is false")
	c.number("metrics.jobs", float64(m.Jobs))
}

// page names jobs, so it is served to those alone whom the API server knows.
func (c *checks) page(p Page, m Metrics) {
	c.must(!p.Enabled || m.Secure, "page.enabled", p.Enabled,
		"false where metrics.secure is false, as the page names jobs")
	c.must(!p.Enabled || m.BindAddress != "0", "page.enabled", p.Enabled,
		`false where metrics.bindAddress is "0", as the page is beside the metrics`)
}

func (c *checks) address(key, value string) {
	const want = `host and port, such as :8080 or 127.0.0.1:8080, or "0" for none`
	if value == "0" {
		return
	}
	host, port, err := net.SplitHostPort(value)
	number, notANumber := strconv.Atoi(port)
	isHost := host == "" || net.ParseIP(host) != nil || len(validation.IsDNS1123Subdomain(host)) == 0
	c.must(err == nil && notANumber == nil && number >= 0 && number <= math.MaxUint16 && isHost, key, value, want)
}

func (c *checks) api(a API) {
	c.number("api.qps", float64(a.QPS))
	c.number("api.burst", float64(a.Burst))
	c.number("api.workers", float64(a.Workers))
}

func (c *checks) log(l Log) {
	c.number("log.level", float64(l.Level))
	c.must(l.Format == JSON || l.Format == Console, "log.format", l.Format, "json or console")
}
