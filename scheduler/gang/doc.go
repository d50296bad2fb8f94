// Package gang keeps the book of gangs: which pods belong together, which of them stands in the queue
// for all, which have been promised a node, and when that promise ends. It knows no Kubernetes, has no
// clock and does nothing. What comes in are pods and Resizes as they are seen, and turns in the queue;
// what goes out is what is to be done, as [Effects].
//
// A gang that waits costs the queue one pod, its speaker. The others are held back. When the speaker's
// turn comes, the whole gang is tried in thought. Only if all of it fits, it gets a [Plan]: each pod has
// a node, and all of them pass the queue. The first to get there wait for the last, and then all are
// bound. Whatever happens to one of them before (it is deleted, its node goes, another pod is faster,
// time runs out) happens to all: the plan is void, nothing is kept, and the speaker tries again after
// a while.
//
// So there is nothing that two gangs could each have half of: a plan is made for all or for none, and
// whoever plans next sees the nodes of this one as taken.
//
//	held back ──all there──▶ the speaker queues ──all fit──▶ planned ──all reserved──▶ bound
//	                             ▲      │ not all fit            │ one fails
//	                             └──────┴────────────────────────┘
//
// Nothing of this is written anywhere, but the node that a claim keeps for a speaker. A scheduler that starts knows the
// pods and the Resizes, and begins with every gang at the left.
package gang
