package operator

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
)

// Who is stuck on a node that does not answer keeps an index, and training-operator fills what is missing below.
func TestAResizeMindsWhoIsStuck(t *testing.T) {
	o := stopped(t, interceptor.Funcs{}, gpuNode("here", "8"))
	const living, lost = 'l', 's'
	for name, test := range map[string]struct {
		workers  string // by index; a blank where there is none
		from, to elastic.Workers
		mode     resize.Mode
		want     elastic.Workers
	}{
		"nobody":                                    {"llll", 4, 2, resize.Live, 2},
		"the last ones":                             {"llss", 4, 2, resize.Live, 2},
		"the last ones, and more are to go":         {"llls", 4, 2, resize.Live, 3},
		"those who were told to go":                 {"llss", 2, 1, resize.Live, 2},
		"one who lives is above":                    {"lsll", 4, 3, resize.Live, 4},
		"one who lives is between":                  {"lsls", 4, 2, resize.Live, 4},
		"one between is about to come back":         {"ls s", 4, 1, resize.Live, 4},
		"fewer are to go than are stuck":            {"llss", 4, 3, resize.Live, 4},
		"it is to grow":                             {"llss", 4, 6, resize.Live, 4},
		"it is to grow where others are stuck":      {"llss", 2, 4, resize.Live, 2},
		"it is to stop":                             {"lsls", 4, 0, resize.Live, 0},
		"it cannot train on, whoever is left of it": {"lsls", 4, 2, resize.Cold, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := &subject{ej: elasticJob("resnet")}
			s.job.Mode = test.mode
			for i, is := range test.workers {
				pod := worker0(pytorchJob("resnet", 1), "here")
				switch is {
				case lost:
					pod.Spec.NodeName = "gone"
				case living:
				default:
					continue
				}
				s.pods = append(s.pods, worker{resize.Index(i), pod})
			}
			got, why := o.aroundStuck(s, elastic.Resize{From: test.from, To: test.to})
			if got != test.want {
				t.Errorf("%d workers, want %d", got, test.want)
			}
			if (why.reason == reasonStuck) != (got == test.from) {
				t.Errorf("%d workers are said to be hindered by %+v", got, why)
			}
		})
	}
}
