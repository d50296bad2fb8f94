package predictor

import "math"

// How far apart two shapes are that still tell of each other, in what the forms cannot express (0.7 is a factor of
// two). How large that is, is in Prior; one common factor is learned for each job.
const (
	nodeReach   = 0.2
	workerReach = 1.0
	crossReach  = 3.0 // of both effects on the network, in the batch
	batchReach  = 1.0
	// shapeShare is the part of the variance between two runs that the shape keeps from run to run.
	shapeShare = 0.3
)

// place is where a shape lies for one fitted form.
type place struct {
	features
	exposed float64 // how much of the step the network decides
}

// kernel is the covariance of what the form leaves unexplained at two shapes.
func (p *Prior) kernel(a, b *place) float64 {
	batch, workers, nodes := a.batch-b.batch, a.workers-b.workers, a.nodes-b.nodes
	batch, workers, nodes = batch*batch, workers*workers, nodes*nodes
	covariance := p.Batch * p.Batch * math.Exp(-batch/(2*batchReach*batchReach))
	if exposed := a.exposed * b.exposed; exposed > 0 {
		near := math.Exp(-nodes/(2*nodeReach*nodeReach) - batch/(2*crossReach*crossReach))
		covariance += exposed * near *
			(p.Node*p.Node + p.Worker*p.Worker*math.Exp(-workers/(2*workerReach*workerReach)))
	}
	if a.shape == b.shape {
		covariance += shapeShare * p.noise(a)
	}
	return covariance
}

// noise is the variance between two runs of the shape.
func (p *Prior) noise(at *place) float64 {
	return p.Computing*p.Computing + at.exposed*at.exposed*p.Network*p.Network
}
