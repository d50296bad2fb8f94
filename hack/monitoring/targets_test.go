package monitoring

import (
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"sigs.k8s.io/yaml"
)

// service is a Service, and monitor a ServiceMonitor, as far as one finds the other.
type service struct {
	Metadata struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec struct {
		Ports []struct {
			Name string `json:"name"`
		} `json:"ports"`
	} `json:"spec"`
}

type monitor struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Selector struct {
			MatchLabels map[string]string `json:"matchLabels"`
		} `json:"selector"`
		Endpoints []struct {
			Port string `json:"port"`
		} `json:"endpoints"`
	} `json:"spec"`
}

// Each ServiceMonitor finds the port of one Service, whose name Prometheus writes as the job of all that is scraped
// there; expressions ask for these jobs alone.
func TestWhatIsInstalledIsScraped(t *testing.T) {
	var services []service
	for _, path := range []string{"manager", "scheduler/base"} {
		var s service
		decode(t, string(read(t, root+"/config/"+path+"/metrics_service.yaml")), &s)
		services = append(services, s)
	}
	var jobs []string
	for document := range strings.SplitSeq(string(read(t, folder+"/service_monitors.yaml")), "\n---\n") {
		var m monitor
		decode(t, document, &m)
		for _, s := range services {
			if found(m, s) {
				jobs = append(jobs, s.Metadata.Name)
			}
		}
	}
	slices.Sort(jobs)
	if !slices.Equal(jobs, []string{"takt-operator-metrics", "takt-scheduler-metrics"}) {
		t.Errorf("the ServiceMonitors find %v", jobs)
	}
	for where, expression := range expressions(t) {
		parser.Inspect(parse(t, expression), func(node parser.Node, _ []parser.Node) error {
			if n, ok := node.(*parser.VectorSelector); ok {
				for _, m := range n.LabelMatchers {
					if m.Name == "job" && (m.Type != labels.MatchEqual || !slices.Contains(jobs, m.Value)) {
						t.Errorf("%s asks for the job %s", where, m.Value)
					}
				}
			}
			return nil
		})
	}
}

func found(m monitor, s service) bool {
	for name, value := range m.Spec.Selector.MatchLabels {
		if s.Metadata.Labels[name] != value {
			return false
		}
	}
	return len(m.Spec.Selector.MatchLabels) > 0 && len(m.Spec.Endpoints) == 1 && len(s.Spec.Ports) == 1 &&
		m.Spec.Endpoints[0].Port == s.Spec.Ports[0].Name
}

func decode(t *testing.T, text string, to any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), to); err != nil {
		t.Fatal(err)
	}
}
