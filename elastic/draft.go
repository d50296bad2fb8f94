package elastic

// draft is what a plan makes of one job so far.
type draft struct {
	doomed    bool // no plan is possible, even with the whole pool
	elsewhere bool // but one is in another pool, and the job waits

	spans   []Span       // its reservation, or plan
	laid    []Span       // the same before it was given anything that is left over
	planned bool         // there is one
	promise bool         // it is a promise
	insists bool         // it is one that takes GPUs of jobs of which nothing is known
	lent    bool         // it takes what other queues are guaranteed
	until   Seconds      // when the job ends, if its size is fixed; or until when that is reserved for it
	unread  bool         // it has a promise, nothing is known of it, and what it has is reserved for it
	trial   Span         // what is reserved to measure it, if nothing is known of it, and
	gave    []concession // what others gave for that

	stake  float64 // the GPU time that it would lose by a change of size
	rank   int     // its claim on what is left over, and
	slack  Seconds // how much time it has to spare
	clings bool    // it keeps its size, as it would lose too much by another

	now   Workers  // the size that it is given, and
	why   Reason   // why that
	held  Reason   // why it does not grow
	does  Workers  // the least that would do for its deadline, once that was asked
	added []string // the nodes of its new workers, if that is known
}
