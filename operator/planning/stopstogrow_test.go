package planning

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/view"
)

// A job that stops in order to grow may go back to the size that it had, until it is asked for the new one.
func TestAGrowthIsTakenBackWhileItsJobStops(t *testing.T) {
	cold := v1alpha1.ResizeCold
	stop := resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 2, Suspended: true}
	for name, c := range map[string]struct {
		from, to  int32
		mode      v1alpha1.ResizeMode
		asked     resize.Ask
		also      string // another condition than Committed
		withdrawn bool
		want      bool
	}{
		"it stops":             {from: 2, to: 4, mode: cold, asked: stop, want: true},
		"it is yet to be told": {from: 2, to: 4, mode: cold, asked: resize.Ask{Epoch: 6}},
		"it has been asked for its new size": {from: 2, to: 4, mode: cold,
			asked: resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 4}},
		"it stops for fewer":      {from: 4, to: 2, mode: cold, asked: stop},
		"it stops for good":       {from: 4, to: 0, mode: cold, asked: stop},
		"it trains":               {from: 2, to: 4, mode: v1alpha1.ResizeLive, asked: stop},
		"it is restarted":         {from: 2, to: 4, mode: cold, asked: stop, also: v1alpha1.ConditionRestarting},
		"it goes back":            {from: 2, to: 4, mode: cold, asked: stop, also: v1alpha1.ConditionRollingBack},
		"it is withdrawn already": {from: 2, to: 4, mode: cold, asked: stop, withdrawn: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := &v1alpha1.Resize{Spec: v1alpha1.ResizeSpec{Epoch: 7, From: c.from, To: c.to, Mode: c.mode}}
			for _, kind := range []string{v1alpha1.ConditionCommitted, c.also} {
				r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{Type: kind, Status: metav1.ConditionTrue})
			}
			if c.withdrawn {
				metav1.SetMetaDataAnnotation(&r.ObjectMeta, "takt.dev/withdrawn", "Others need its GPUs more.")
			}
			if got := !underWay(&view.Subject{Job: kind.Job{Asked: c.asked}}, r).Settled; got != c.want {
				t.Errorf("it may be taken back: %t, want %t", got, c.want)
			}
		})
	}
}
