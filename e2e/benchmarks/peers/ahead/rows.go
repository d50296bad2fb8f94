package ahead

// Names of the rows of docs/benchmarks-peers.md.
const (
	Built     = "built from"
	Ended     = "jobs that ended"
	Met       = "deadlines met"
	Waited    = "a job did not train, in the mean"
	WaitedP95 = "a job did not train, 95 of 100 at most"
	Took      = "from its submission to its end, in the mean"
	TookP95   = "from its submission to its end, 95 of 100 at most"
	Last      = "the last ended after"
	Trained   = "GPUs of jobs whose workers ran"
	Held      = "GPUs of pods that had a node, and did not train"
	Writes    = "requests to the API server that write, for each job"
	Tells     = "of these, progress that its training tells"
	Processor = "processor time"
	Memory    = "memory, at most"
)

// Peers says of each what is better.
var Peers = map[string]Row{
	Built: Neither, Ended: More, Met: More, Waited: Less, WaitedP95: Less, Took: Less, TookP95: Less, Last: Less,
	Trained: More, Held: Less, Writes: Less, Tells: Neither, Processor: Less, Memory: Less,
}
