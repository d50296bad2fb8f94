package settings

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestBadValuesAreToldInASentence(t *testing.T) {
	cases := map[string]struct {
		change func(*Settings)
		want   string
	}{
		"namespace": {func(s *Settings) { s.Namespaces = []string{"a", "Team A"} },
			`namespaces[1] is "Team A", but must be the name of a namespace: at most 63 small letters, digits and '-', such as team-a`},
		"namespace twice": {func(s *Settings) { s.Namespaces = []string{"a", "b", "a"} },
			`namespaces[2] is "a", but must be another: each namespace is named once`},
		"label": {func(s *Settings) { s.NodeSelector = map[string]string{"a b": "x"} },
			`a key of nodeSelector is "a b", but must be the key of a label: a name such as gpu, or example.com/gpu`},
		"label value": {func(s *Settings) { s.NodeSelector = map[string]string{"gpu": "-"} },
			`nodeSelector[gpu] is "-", but must be the value of a label: at most 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit`},
		"agent": {func(s *Settings) { s.Agent.Image = "https://registry/takt agent" },
			`agent.image is "https://registry/takt agent", but must be the reference of an image, such as registry.example.com/takt-agent:1.2, or empty for none`},
		"gone before its end": {func(s *Settings) { s.ElasticJobs.TTLAfterFinished.Duration = -time.Hour },
			`elasticJobs.ttlAfterFinished is -1h0m0s, but must be 0s, which keeps them, or longer`},
		"no resource": {func(s *Settings) { s.GPUs.Resources = nil },
			`gpus.resources is [], but must be one name or more, such as nvidia.com/gpu`},
		"a taint with a blank": {func(s *Settings) { s.LeavingNodes.Taints = []string{"a b"} },
			`leavingNodes.taints[0] is "a b", but must be the key of a taint, such as cloud.google.com/impending-node-termination`},
		"every node that is ready goes": {func(s *Settings) { s.LeavingNodes.Conditions = []string{"Ready"} },
			`leavingNodes.conditions[0] is "Ready", but must be the type of a condition that is True where a node is about to go, ` +
				`such as PreemptScheduled`},
		"no such zone": {func(s *Settings) { s.TimeZone = "Europe/Berln" },
			`timeZone is "Europe/Berln", but must be UTC or a place of the time zone database, such as Europe/Berlin, or empty for none`},
		"the zone of a machine": {func(s *Settings) { s.TimeZone = "Local" },
			`timeZone is "Local", but must be UTC or a place of the time zone database, such as Europe/Berlin, or empty for none`},
		"resource of no domain": {func(s *Settings) { s.GPUs.Resources = []string{"cpu"} },
			`gpus.resources[0] is "cpu", but must be the name of an extended resource, such as nvidia.com/gpu`},
		"resource twice": {func(s *Settings) { s.GPUs.Resources = []string{"a.com/b", "a.com/b"} },
			`gpus.resources[1] is "a.com/b", but must be another: each resource is named once`},
		"no product label": {func(s *Settings) { s.GPUs.ProductLabel = "" },
			`gpus.productLabel is "", but must be the key of a label: a name such as gpu, or example.com/gpu`},
		"no time to settle": {func(s *Settings) { s.Planning.Settle = span(0) },
			"planning.settle is 0s, but must be greater than 0s"},
		"plan in negative time": {func(s *Settings) { s.Planning.Every = span(-time.Second) },
			"planning.every is -1s, but must be greater than 0s"},
		"settle too long": {func(s *Settings) { s.Planning.Settle = span(30 * time.Second) },
			"planning.settle is 30s, but must be shorter than planning.every, which is 30s"},
		"promise more than all": {func(s *Settings) { s.Planning.PromiseShare = 1.5 },
			"planning.promiseShare is 1.5, but must be greater than 0 and at most 1"},
		"promise nothing": {func(s *Settings) { s.Planning.PromiseShare = 0 },
			"planning.promiseShare is 0, but must be greater than 0 and at most 1"},
		"promise no number": {func(s *Settings) { s.Planning.PromiseShare = math.NaN() },
			"planning.promiseShare is NaN, but must be greater than 0 and at most 1"},
		"payback": {func(s *Settings) { s.Planning.Payback = -1 },
			"planning.payback is -1, but must be greater than 0 and at most 1000000"},
		"cooldown": {func(s *Settings) { s.Planning.Cooldown = math.Inf(1) },
			"planning.cooldown is +Inf, but must be greater than 0 and at most 1000000"},
		"assumed pause": {func(s *Settings) { s.Planning.AssumedPause = span(0) },
			"planning.assumedPause is 0s, but must be greater than 0s"},
		"progress": {func(s *Settings) { s.Progress.Every = span(0) },
			"progress.every is 0s, but must be greater than 0s"},
		"timeout": {func(s *Settings) { s.Progress.Timeout = span(0) },
			"progress.timeout is 0s, but must be greater than 0s"},
		"bytes": {func(s *Settings) { s.Progress.MaxBytes = 0 },
			"progress.maxBytes is 0, but must be from 1024 to 67108864"},
		"stale at once": {func(s *Settings) { s.Progress.StaleAfter = span(10 * time.Second) },
			"progress.every is 10s, but must be shorter than progress.staleAfter, which is 10s"},
		"use of a GPU": {func(s *Settings) { s.Usage.IdleBelowPercent = 101 },
			"usage.idleBelowPercent is 101, but must be greater than 0 and at most 100"},
		"no metric": {func(s *Settings) { s.Usage.GPUMetric = "" },
			`usage.gpuMetric is "", but must be the name of a metric, such as DCGM_FI_DEV_GPU_UTIL`},
		"idle sooner than read": {func(s *Settings) { s.Usage.IdleFor.Duration = time.Second },
			"usage.every is 1m0s, but must be shorter than usage.idleFor, which is 1s"},
		"keep": {func(s *Settings) { s.Resizes.Keep = 0 },
			"resizes.keep is 0, but must be from 1 to 1000"},
		"retry": {func(s *Settings) { s.Resizes.RetryAfter = span(0) },
			"resizes.retryAfter is 0s, but must be greater than 0s"},
		"limit": {func(s *Settings) { s.Resizes.DrainWithin = span(0) },
			"resizes.drainWithin is 0s, but must be greater than 0s"},
		"limits in disorder": {func(s *Settings) { s.Resizes.SettleAfter = span(time.Hour) },
			"resizes.settleAfter is 1h0m0s, but must be shorter than resizes.placeWithin, which is 2m0s"},
		"acknowledge": {func(s *Settings) { s.Resizes.AcknowledgeWithin = span(time.Hour) },
			"resizes.acknowledgeWithin is 1h0m0s, but must be shorter than resizes.checkpointWithin, which is 2m0s"},
		"steady": {func(s *Settings) { s.Resizes.SteadyFor = span(6 * time.Minute) },
			"resizes.steadyFor is 6m0s, but must be shorter than resizes.verifyWithin, which is 5m0s"},
		"steady at the start": {func(s *Settings) { s.Resizes.StartWithin = span(30 * time.Second) },
			"resizes.steadyFor is 30s, but must be shorter than resizes.startWithin, which is 30s"},
		"namespace of the lease": {func(s *Settings) { s.LeaderElection.Namespace = "_" },
			`leaderElection.namespace is "_", but must be the name of a namespace: at most 63 small letters, digits and '-', such as team-a`},
		"a price": {func(s *Settings) { s.GPUs.Prices = map[string]float64{"A100": -1} },
			"gpus.prices[A100] is -1, but must be from 0 to 1000000000"},
		"a price of nothing": {func(s *Settings) { s.GPUs.Prices = map[string]float64{"": 1} },
			`a key of gpus.prices is "", but must be the product of GPUs, such as NVIDIA-A100-SXM4-80GB, or "*" for all others`},
		"records": {func(s *Settings) { s.Records.Keep = -1 },
			"records.keep is -1, but must be from 0 to 10000"},
		"records on a volume": {func(s *Settings) { s.Records.Folder = "records" },
			`records.folder is "records", but must be the path of a folder, such as /var/lib/takt/records, or empty for none`},
		"much of records": {func(s *Settings) { s.Records.FolderMiB = 0 },
			"records.folderMiB is 0, but must be from 1 to 1048576"},
		"where records are": {func(s *Settings) { s.Records.Namespace = "_" },
			`records.namespace is "_", but must be the name of a namespace: at most 63 small letters, digits and '-', such as team-a`},
		"name of the lease": {func(s *Settings) { s.LeaderElection.Name = "" },
			`leaderElection.name is "", but must be the name of a Lease: small letters, digits, '-' and '.', such as takt-operator`},
		"part of a second": {func(s *Settings) { s.LeaderElection.LeaseDuration = span(15500 * time.Millisecond) },
			"leaderElection.leaseDuration is 15.5s, but must be whole seconds, one or more"},
		"renew too late": {func(s *Settings) { s.LeaderElection.RenewDeadline = span(15 * time.Second) },
			"leaderElection.renewDeadline is 15s, but must be shorter than leaderElection.leaseDuration, which is 15s"},
		"never renew": {func(s *Settings) { s.LeaderElection.RenewDeadline = span(0) },
			"leaderElection.renewDeadline is 0s, but must be greater than 0s"},
		"retry too late": {func(s *Settings) { s.LeaderElection.RetryPeriod = span(9 * time.Second) },
			"leaderElection.retryPeriod is 9s, but must be shorter than 5/6 of leaderElection.renewDeadline, which is 10s"},
		"never retry": {func(s *Settings) { s.LeaderElection.RetryPeriod = span(0) },
			"leaderElection.retryPeriod is 0s, but must be greater than 0s"},
		"no port": {func(s *Settings) { s.Metrics.BindAddress = "localhost" },
			`metrics.bindAddress is "localhost", but must be host and port, such as :8080 or 127.0.0.1:8080, or "0" for none`},
		"no such port": {func(s *Settings) { s.Health.BindAddress = ":65536" },
			`health.bindAddress is ":65536", but must be host and port, such as :8080 or 127.0.0.1:8080, or "0" for none`},
		"no such host": {func(s *Settings) { s.Health.BindAddress = "a b:1" },
			`health.bindAddress is "a b:1", but must be host and port, such as :8080 or 127.0.0.1:8080, or "0" for none`},
		"one port for two": {func(s *Settings) { s.Health.BindAddress = ":8443" },
			`health.bindAddress is ":8443", but must be another than metrics.bindAddress`},
		"certificates for nothing": {func(s *Settings) { s.Metrics.CertDir, s.Metrics.Secure = "/certs", false },
			`metrics.certDir is "/certs", but must be empty where metrics.secure is false`},
		"figures of too many jobs": {func(s *Settings) { s.Metrics.Jobs = 10_001 },
			"metrics.jobs is 10001, but must be from 0 to 10000"},
		"a page in the clear": {func(s *Settings) { s.Page.Enabled, s.Metrics.Secure = true, false },
			"page.enabled is true, but must be false where metrics.secure is false, as the page names jobs"},
		"a page of no server": {func(s *Settings) { s.Page.Enabled, s.Metrics.BindAddress = true, "0" },
			`page.enabled is true, but must be false where metrics.bindAddress is "0", as the page is beside the metrics`},
		"requests": {func(s *Settings) { s.API.QPS = -1 },
			"api.qps is -1, but must be greater than 0 and at most 1000000"},
		"burst": {func(s *Settings) { s.API.Burst = 0 },
			"api.burst is 0, but must be from 1 to 1000000"},
		"workers": {func(s *Settings) { s.API.Workers = 0 },
			"api.workers is 0, but must be from 1 to 1000"},
		"level": {func(s *Settings) { s.Log.Level = -1 },
			"log.level is -1, but must be from 0 to 9"},
		"format": {func(s *Settings) { s.Log.Format = "xml" },
			`log.format is "xml", but must be json or console`},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			s := Default()
			test.change(&s)
			err := s.Validate()
			if err == nil || err.Error() != test.want {
				t.Errorf("\n got %v\nwant %s", err, test.want)
			}
			if _, ok := errors.AsType[*ValueError](err); !ok {
				t.Errorf("%T is not a ValueError", err)
			}
		})
	}
}

func TestGoodValuesPass(t *testing.T) {
	for name, change := range map[string]func(*Settings){
		"namespaces":       func(s *Settings) { s.Namespaces = []string{"a", "b"} },
		"nodes":            func(s *Settings) { s.NodeSelector = map[string]string{"example.com/gpu": "true", "empty": ""} },
		"a zone":           func(s *Settings) { s.TimeZone = "Europe/Berlin" },
		"UTC":              func(s *Settings) { s.TimeZone = "UTC" },
		"several GPUs":     func(s *Settings) { s.GPUs.Resources = []string{"nvidia.com/gpu", "amd.com/gpu"} },
		"no notices":       func(s *Settings) { s.LeavingNodes = LeavingNodes{} },
		"no endpoints":     func(s *Settings) { s.Metrics.BindAddress, s.Health.BindAddress = "0", "0" },
		"any port":         func(s *Settings) { s.Metrics.BindAddress, s.Health.BindAddress = ":0", ":0" },
		"IPv6":             func(s *Settings) { s.Metrics.BindAddress = "[::1]:8443" },
		"host by name":     func(s *Settings) { s.Metrics.BindAddress = "localhost:8443" },
		"prices":           func(s *Settings) { s.GPUs.Prices = map[string]float64{"A100": 2.5, "*": 0} },
		"no records":       func(s *Settings) { s.Records.Keep = 0 },
		"the agent":        func(s *Settings) { s.Agent.Image = "registry.example.com:5000/takt-agent@sha256:0123" },
		"own certificates": func(s *Settings) { s.Metrics.CertDir = "/certs" },
		"the page":         func(s *Settings) { s.Page.Enabled = true },
		"in the clear":     func(s *Settings) { s.Metrics.Secure = false },
		"console":          func(s *Settings) { s.Log = Log{Level: 2, Format: Console} },
	} {
		t.Run(name, func(t *testing.T) {
			s := Default()
			change(&s)
			if err := s.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestEverythingThatIsWrongIsTold(t *testing.T) {
	err := Settings{}.Validate()
	for _, key := range every(reflect.ValueOf(Settings{}), "") {
		switch key {
		case "namespaces", "nodeSelector", "timeZone", "leaderElection.enabled", "leaderElection.namespace",
			"metrics.secure", "metrics.certDir", "metrics.jobs", "page.enabled", "log.level",
			"gpus.prices", "agent.enabled", "agent.image", "agent.byDefault", "records.keep", "records.namespace",
			"records.folder",
			"elasticJobs.ttlAfterFinished",
			// may be empty
			"leavingNodes.taints", "leavingNodes.conditions",
			"outsiders.minPriority", "outsiders.after", "outsiders.most", "outsiders.reserve", "outsiders.overGuarantees":
			continue
		// sections
		case "agent", "elasticJobs", "gpus", "leavingNodes", "outsiders", "planning", "progress", "records", "usage",
			"status", "resizes", "leaderElection", "metrics", "page", "health", "api", "log":
			continue
		}
		if !strings.Contains("\n"+err.Error(), "\n"+key+" is ") {
			t.Errorf("nothing is said of %s", key)
		}
	}
}
