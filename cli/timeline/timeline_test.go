package timeline

import (
	"strings"
	"testing"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/golden"
)

func TestTheLifeOfAJobIsDrawn(t *testing.T) {
	fresh := func(job *v1alpha1.ElasticJob) {
		job.CreationTimestamp.Time = golden.Now
		job.Status = v1alpha1.ElasticJobStatus{}
	}
	for name, test := range map[string]Life{
		"grown":   {Job: new(golden.Job("resnet")), Resizes: golden.Resizes("resnet"), Width: 80},
		"wide":    {Job: new(golden.Job("resnet")), Resizes: golden.Resizes("resnet"), Width: 120},
		"at_risk": {Job: new(golden.Job("bert", golden.AtRisk)), Width: 80},
		"ended":   {Job: new(golden.Job("resnet", golden.Met)), Resizes: golden.Resizes("resnet"), Width: 80},
		"new":     {Job: new(golden.Job("resnet", fresh)), Width: 80},
		"narrow":  {Job: new(golden.Job("resnet")), Resizes: golden.Resizes("resnet"), Width: 1},
	} {
		t.Run(name, func(t *testing.T) {
			test.Now = golden.Now
			var b strings.Builder
			if err := test.Write(&b); err != nil {
				t.Fatal(err)
			}
			golden.Equal(t, name, b.String())
			chart, _, _ := strings.Cut(b.String(), "\nRESIZE")
			for line := range strings.Lines(chart) {
				if width := len([]rune(strings.TrimRight(line, "\n"))); width > max(test.Width, 60) {
					t.Errorf("this line is %d wide: %s", width, line)
				}
			}
		})
	}
}
