package predictor

import "math"

// form is a parametric law of the step time. Its parameters are logarithms (or logits) relative
// to the time of computing, so one prior fits jobs of any speed, and no step of the optimiser
// can leave what makes sense.
type form interface {
	// prior is the mean and the standard deviation of each parameter. The first parameter is
	// the logarithm of the time to compute the typical batch; its mean is set by the data.
	prior(likely *Prior) []gaussian
	// logTime is the logarithm of the step time. It writes the derivatives by the parameters
	// to grad. batch is the batch relative to the typical one. 0 <= exposed <= 1 is how much of
	// the step the network decides: d log T / d log T_net.
	logTime(theta []float64, s Shape, batch float64, grad []float64) (log, exposed float64)
	// starts are where the search begins, as steps from the prior's mean.
	starts() [][]float64
}

type gaussian struct{ mean, sd float64 }

// forms are all that compete.
var forms = []form{
	allReduce{treeGrowth{}},
	allReduce{crowdGrowth{}},
	parameterServer{},
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
