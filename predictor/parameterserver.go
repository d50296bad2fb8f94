package predictor

import "math"

// parameterServer is the form of Optimus for synchronous training with parameter servers:
//
//	T = θ0·m + θ1 + θ2·w/p + θ3·w + θ4·p      m: batch of a worker, w: workers, p: servers
type parameterServer struct{}

// The parameters of parameterServer; compute and fixedShare are as in allReduce.
const (
	queueCost  = iota + 2 // log(θ2 / compute)
	workerCost            // log(θ3 / compute)
	serverCost            // log(θ4 / compute)
	parameterServerParameters
)

func (parameterServer) prior(*Prior) []gaussian {
	return []gaussian{
		compute:    {0, 3},
		fixedShare: {-1.5, 1.5},
		queueCost:  {-3, 1.5},
		workerCost: {-4, 1.5},
		serverCost: {-4, 1},
	}
}

func (parameterServer) starts() [][]float64 {
	mean, waiting := [parameterServerParameters]float64{}, [parameterServerParameters]float64{}
	waiting[queueCost] = 2
	return [][]float64{mean[:], waiting[:]}
}

func (parameterServer) logTime(theta []float64, s Shape, batch float64, grad []float64) (log, exposed float64) {
	clear(grad)
	workers, servers := float64(s.Workers), float64(s.Servers)
	share := logistic(theta[fixedShare])
	queue := math.Exp(theta[queueCost]) * workers / servers
	each := math.Exp(theta[workerCost]) * workers
	serving := math.Exp(theta[serverCost]) * servers
	total := share + (1-share)*batch + queue + each + serving
	grad[compute] = 1
	grad[fixedShare] = share * (1 - share) * (1 - batch) / total
	grad[queueCost] = queue / total
	grad[workerCost] = each / total
	grad[serverCost] = serving / total
	return theta[compute] + math.Log(total), (queue + each + serving) / total
}
