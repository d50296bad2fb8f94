package elastic

// draft is what a plan makes of one job so far.
type draft struct {
	chained

	doomed            bool // no plan is possible, even with the whole pool
	possibleElsewhere bool // but one is in another pool, and the job waits

	spans      []Span  // its reservation
	planned    bool    // it goes by that: its nodes may turn out to have no room for it
	firstPlan  []Span  // the reservation before the job was given anything that is left over
	promise    bool    // it is a promise
	overTrials bool    // it takes GPUs of jobs of which nothing is known
	borrowing  bool    // it takes what other queues are guaranteed
	resting    bool    // its last starts have failed or were taken back, so that it may not start yet
	keptUntil  Seconds // when the job ends, if its size is fixed; or until when that is reserved for it
	keeps      bool    // it keeps for good what was lent to it
	beside     []Span  // its plan for when others get what is lent to it, or what it is promised of that
	unread     bool    // it has a promise, nothing is known of it, and what it has is reserved for it

	trial Span       // what is reserved to measure it, if nothing is known of it, or until it ends, and
	gave  []replaced // what others gave for that
	turn  bool       // that is reserved for its turn, whatever is known of it
	// ending says that it is about to end, and goes on as it is until then, and allDone that it has done all of its work.
	ending, allDone bool
	// turnLost is what was reserved for its turn until a promise needed it.
	turnLost Span

	asks         float64 // for how much GPU time it asks, among newcomers
	stake        float64 // the GPU time that it would lose by a change of size
	rank         rank    // on what is left over, and
	slack        Seconds // how much time it has to spare
	losesTooMuch bool    // it keeps its size, as it would lose too much by another

	gets      Workers  // its size from now on, and
	reason    Reason   // why it gets that
	hindrance Reason   // why it does not grow
	suffices  Workers  // the least that would do for its deadline, once that was asked
	gone      Workers  // how many of the workers that it has a rehearsal has sent away
	added     []string // the nodes of its new workers, if that is known
	starts    *Seconds // when there will be room for it, as far as can be foreseen
}
