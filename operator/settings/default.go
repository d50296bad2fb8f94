package settings

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic/resize"
)

// Default returns the settings that hold where none are given.
func Default() Settings {
	limits := resize.DefaultLimits()
	return Settings{
		GPUs: GPUs{
			Resources:    []string{"nvidia.com/gpu"},
			ProductLabel: "nvidia.com/gpu.product",
		},
		LeavingNodes: LeavingNodes{
			Taints: []string{
				"aws-node-termination-handler/spot-itn", "aws-node-termination-handler/asg-lifecycle-termination",
				"aws-node-termination-handler/scheduled-maintenance", "cloud.google.com/impending-node-termination",
				"karpenter.sh/disrupted", "ToBeDeletedByClusterAutoscaler",
			},
			Conditions: []string{"PreemptScheduled", "TerminateScheduled", "RedeployScheduled", "RebootScheduled"},
		},
		Outsiders: Outsiders{After: span(10 * time.Second), UsedWithin: span(2 * time.Minute)},
		Planning: Planning{
			Settle:       span(200 * time.Millisecond),
			Every:        span(30 * time.Second),
			PromiseShare: 1.0 / 3,
			Payback:      10,
			Cooldown:     2,
			AssumedPause: span(30 * time.Second),
		},
		Progress: Progress{
			Every:      span(10 * time.Second),
			Timeout:    span(5 * time.Second),
			MaxBytes:   1 << 20,
			StaleAfter: span(5 * time.Minute),
		},
		Usage: Usage{
			Every:            span(time.Minute),
			GPUMetric:        "DCGM_FI_DEV_GPU_UTIL",
			IdleBelowPercent: 5,
			IdleFor:          span(15 * time.Minute),
		},
		Status: Status{Every: span(15 * time.Second)},
		Resizes: Resizes{
			Keep:              20,
			RetryAfter:        span(time.Minute),
			SettleAfter:       span(limits.SettleAfter),
			PlaceWithin:       span(limits.PlaceWithin),
			ReadyWithin:       span(limits.ReadyWithin),
			AcknowledgeWithin: span(limits.AcknowledgeWithin),
			CheckpointWithin:  span(limits.CheckpointWithin),
			CheckpointFresh:   span(limits.CheckpointFresh),
			DrainWithin:       span(limits.DrainWithin),
			StopWithin:        span(limits.StopWithin),
			VerifyWithin:      span(limits.VerifyWithin),
			StartWithin:       span(limits.StartWithin),
			SteadyFor:         span(limits.SteadyFor),
		},
		Agent:   Agent{Enabled: true, ByDefault: true},
		Records: Records{Keep: 1000, Folder: "/var/lib/takt/records", FolderMiB: 64},
		LeaderElection: LeaderElection{
			Enabled:       true,
			Name:          "takt-operator",
			LeaseDuration: span(15 * time.Second),
			RenewDeadline: span(10 * time.Second),
			RetryPeriod:   span(2 * time.Second),
		},
		Metrics: Metrics{BindAddress: ":8443", Secure: true, Jobs: 500},
		Health:  Health{BindAddress: ":8081"},
		API:     API{QPS: 100, Burst: 200, Workers: 8},
		Log:     Log{Level: 0, Format: JSON},
	}
}

// The formats of a log.
const (
	JSON    = "json"
	Console = "console"
)

func span(d time.Duration) metav1.Duration { return metav1.Duration{Duration: d} }
