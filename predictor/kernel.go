package predictor

import "math"

// How far apart two shapes are that still tell of each other, in what the forms cannot express (0.7 is a factor of
// two). How large that is, is in Prior, and learned for each job.
const (
	nodeReach   = 0.2
	workerReach = 1.0
	crossReach  = 3.0 // of both effects on the network, in the batch
	batchReach  = 2.0 // may end abruptly: a batch may suit the GPU, and the next one not
	// shapeShare is the part of the variance between two runs that the shape keeps from run to run.
	shapeShare = 0.3
)

// place is where a shape lies for one fitted form.
type place struct {
	features
	exposed float64 // how much of the step the network decides
}

// levels are by which factor the variances of a job differ from those of the prior.
type levels [parts]float64

// The parts of the variance that have a level each.
const (
	batchPart   = iota // how batches suit the GPU
	networkPart        // how sizes suit the network
	computingNoise
	networkNoise
	parts
)

func (l *levels) dot(of *levels) float64 {
	return l[0]*of[0] + l[1]*of[1] + l[2]*of[2] + l[3]*of[3]
}

// kernel is the covariance of what the form leaves unexplained at two shapes, in its parts.
func (p *Prior) kernel(a, b *place) (covariance levels) {
	batch, workers, nodes := a.batch-b.batch, a.workers-b.workers, a.nodes-b.nodes
	batch, workers, nodes = batch*batch, workers*workers, nodes*nodes
	covariance[batchPart] = p.Batch * p.Batch * math.Exp(-math.Abs(a.batch-b.batch)/batchReach)
	if exposed := a.exposed * b.exposed; exposed > 0 {
		near := math.Exp(-nodes/(2*nodeReach*nodeReach) - batch/(2*crossReach*crossReach))
		covariance[networkPart] = exposed * near *
			(p.Node*p.Node + p.Worker*p.Worker*math.Exp(-workers/(2*workerReach*workerReach)))
	}
	if a.shape == b.shape {
		p.addNoise(&covariance, a, shapeShare)
	}
	return covariance
}

// addNoise adds so much of the variance between two runs of the shape.
func (p *Prior) addNoise(to *levels, at *place, part float64) {
	to[computingNoise] += part * p.Computing * p.Computing
	to[networkNoise] += part * at.exposed * at.exposed * p.Network * p.Network
}
