package predictor

// Prior is what a model takes for likely of a job before anything was measured of it. All but Longer are
// standard deviations of logarithms, so 0.1 is a tenth. What is learned of a job soon outweighs them.
type Prior struct {
	// Batch is how much a batch suits the kernels of the GPU better or worse than the form says.
	Batch float64
	// Node is of the time of the network: what lies between two nodes, four or eight is not the same switch, and
	// what was measured at one number of nodes says next to nothing of what is peculiar to another.
	Node float64
	// Worker is of the time of the network too: rings and trees suit some sizes better.
	Worker float64
	// Pair is how much longer or shorter two nodes exchange than the growth from more nodes says. Longer is what is
	// expected of it, which is nothing until jobs on the same network were measured: see Taught.
	Pair, Longer float64
	// Computing and Network are how far two runs of one shape differ: little in computing, which a GPU does alone,
	// much in the network, which is shared.
	Computing, Network float64
	// Level is how sure these are: each is taken to be a factor off, whose logarithm has this standard deviation.
	Level float64
}

// Usual is the prior of a job of which nobody knows anything.
func Usual() Prior {
	return Prior{Batch: 0.06, Node: 0.05, Worker: 0.06, Pair: 0.4, Computing: 0.035, Network: 0.10, Level: 0.75}
}
