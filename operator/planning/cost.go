package planning

import "github.com/takt-dev/takt/api/v1alpha1"

// costOf adds up what is said of the jobs of a queue.
type costOf struct {
	soFar, expected, dated float64
	met                    int
	unknown                bool // of some job nothing is said: then nothing is of the queue
}

func (c *costOf) add(ej *v1alpha1.ElasticJob) {
	st := &ej.Status
	soFar, known := st.Cost.SoFar.Float()
	if !known {
		c.unknown = c.unknown || st.Workers.Max > 0 // else nobody has ever seen a job of it
		return
	}
	expected, known := st.Cost.Expected.Float()
	if !known {
		expected = soFar
	}
	c.soFar, c.expected = c.soFar+soFar, c.expected+expected
	switch st.Verdict {
	case v1alpha1.VerdictMet:
		c.met, c.dated = c.met+1, c.dated+soFar
	case v1alpha1.VerdictMissed:
		c.dated += soFar
	default:
	}
}

func (c *costOf) status() v1alpha1.QueueCostStatus {
	if c == nil || c.unknown {
		return v1alpha1.QueueCostStatus{}
	}
	st := v1alpha1.QueueCostStatus{SoFar: v1alpha1.NewAmount(c.soFar), Expected: v1alpha1.NewAmount(c.expected)}
	if c.met > 0 {
		st.PerDeadlineMet = v1alpha1.NewAmount(c.dated / float64(c.met))
	}
	return st
}

// statusesOf are what is told of queues; none without prices.
func statusesOf(costs map[string]*costOf) map[string]v1alpha1.QueueCostStatus {
	if costs == nil {
		return nil
	}
	told := map[string]v1alpha1.QueueCostStatus{}
	for queue, cost := range costs {
		told[queue] = cost.status()
	}
	return told
}

// costs are what the jobs of each queue cost; none without prices.
func (p *Planner) costs(ejs []v1alpha1.ElasticJob) map[string]*costOf {
	if len(p.Settings.Prices()) == 0 {
		return nil
	}
	costs := map[string]*costOf{}
	for i := range ejs {
		queue := ejs[i].Spec.Queue
		if costs[queue] == nil {
			costs[queue] = &costOf{}
		}
		costs[queue].add(&ejs[i])
	}
	return costs
}
