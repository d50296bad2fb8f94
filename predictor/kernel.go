package predictor

import "math"

// What the forms cannot express, as a prior: how large it is (0.1 is a tenth), and how far apart
// two shapes are that still tell of each other (0.7 is a factor of two). These are beliefs about
// training on GPUs in general; one common factor is learned for each job.
const (
	// nodeEffect is on the time of the network: what lies between two nodes, four or eight is
	// not the same switch, and what was measured at one number of nodes says next to nothing of
	// what is peculiar to another.
	nodeEffect = 0.2
	nodeReach  = 0.2
	// workerEffect is on the time of the network too: rings and trees suit some sizes better.
	workerEffect = 0.12
	workerReach  = 1.0
	crossReach   = 3.0 // of both effects, in the batch
	// batchEffect is on the whole step: some batches suit the kernels of the GPU better.
	batchEffect = 0.06
	batchReach  = 1.0

	// How far two runs of one shape differ: little in computing, which a GPU does alone, much in
	// the network, which is shared.
	computeNoise = 0.035
	networkNoise = 0.10
	// shapeShare is the part of this variance that the shape keeps from run to run.
	shapeShare = 0.3
)

// place is where a shape lies for one fitted form.
type place struct {
	features
	exposed float64 // how much of the step the network decides
}

// kernel is the covariance of what the form leaves unexplained at two shapes.
func kernel(a, b *place) float64 {
	batch, workers, nodes := a.batch-b.batch, a.workers-b.workers, a.nodes-b.nodes
	batch, workers, nodes = batch*batch, workers*workers, nodes*nodes
	covariance := batchEffect * batchEffect * math.Exp(-batch/(2*batchReach*batchReach))
	if exposed := a.exposed * b.exposed; exposed > 0 {
		near := math.Exp(-nodes/(2*nodeReach*nodeReach) - batch/(2*crossReach*crossReach))
		covariance += exposed * near *
			(nodeEffect*nodeEffect + workerEffect*workerEffect*math.Exp(-workers/(2*workerReach*workerReach)))
	}
	if a.shape == b.shape {
		covariance += shapeShare * a.noise()
	}
	return covariance
}

// noise is the variance between two runs of the shape.
func (p *place) noise() float64 {
	return computeNoise*computeNoise + p.exposed*p.exposed*networkNoise*networkNoise
}
