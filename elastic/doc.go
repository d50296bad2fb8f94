// Package elastic decides how many workers each training job has, so that as many jobs as possible
// are finished by their deadlines, and none of those that were promised is late.
//
// [Plan] takes a [Snapshot] of one moment and returns a [Decision]. It is a pure function: the same
// snapshot gives the same decision, in the operator, in the simulator, and in takt plan.
//
// Why this is hard, and what is done about it. A job may have any of several sizes; more workers
// are faster, but each of them does less; and every change of size stops the training for a while.
// Jobs to come are not known. So a decision has four layers, each of which may only use what the
// one before it leaves:
//
//   - Promises stand. For every promised job there is a reservation: spans of time and the size that it
//     has in each, at the end of which its work is done, before its deadline, at the pessimistic end of
//     its estimate, pauses included. Reservations never add up to more than there is, and go from plan
//     to plan: what was reserved by the last one is still enough and still free, whatever a clever new
//     arrangement would or would not find. All are made anew, in deadline order, only where that makes
//     room for a job more, or where GPUs were lost; and those of promised jobs that run only where it
//     takes that. Where there is not room for all, those that lack it are planned on hope before anybody
//     else is: they may well be in time.
//   - Plans are like promises, and are made to jobs one by one, those first that need the least GPU
//     time; but a plan gives way to one that needs less, unless its job would lose more by that than
//     the other needs. One that runs goes on as it was planned wherever the others can wait. For one that
//     trains, and may be in time, those give way at once that have more than they need. A plan
//     becomes a promise as soon as that turns nobody away; that of a job which waits for a promise when
//     it begins. If whatever comes first were promised, a few great jobs that came early would turn
//     away the many small ones that come later. Promises, and jobs that are not to be interrupted,
//     count on nothing that another queue is guaranteed.
//   - A job of which nothing is known cannot be planned for. One that runs stays as it is, as far as the
//     plans of others leave that: a change could cost it all that it has done. What it had to give back
//     of the size that it was written for it gets again, once that is free and makes up for the change.
//     One that waits is given its smallest size until it is measured, though others have to make do with
//     less for that while, as long as their plans hold; or, where that is free, the size that it was
//     written for. One that runs, and whose plan begins later, goes on at its smallest size: it is not
//     stopped for others that have time.
//     One without a deadline that is about to end, or has done all of its work, goes on as it is: who has the time
//     waits for that.
//   - What is left over goes where it buys most, if it is worth the pause.
//
// A job that starts after others has no part in the present. It is planned to begin once these have ended, as they
// are planned themselves, and is promised nothing before. Its deadline steers those of them that have none: each has
// its part of the time, and is planned as if it had to be done by then, but judged as the best-effort job that it is.
// Where one of them is in another pool, which is planned later, room for it is found once all pools are planned.
//
// Pools are planned one by one. A job that waits, and may run in several, goes where it ends first.
//
// All times are seconds from any fixed moment.
//
// # Where to read
//
// What comes in is snapshot.go, what goes out decision.go. plan.go divides a snapshot into pools, and pool.go plans one
// of them: its steps, in the order of the layers above, are
//
//	divide.go                     what each queue may have
//	uninterruptible.go            what is never given back; lent.go what is to be that once nobody else has a right to it
//	chain.go, successors.go       who starts after whom, by when each has to end, and when each may begin; afterothers.go
//	promises.go                   promises of the last plan; postpone.go, protect.go and margin.go go with them
//	ontrial.go, trial.go          jobs of which nothing is known
//	abouttoend.go                 jobs that end by themselves before others made anything of their GPUs
//	turn.go, turnof.go            jobs that have waited for as long as they may have to
//	admit.go                      plans for all others, and which of them become promises; hope.go, secure.go
//	present.go, leftover.go       sizes from now on; grow.go, growseldom.go and undecided.go
//	place.go                      nodes; layout.go, site.go, appetite.go, displace.go, makeway.go
//	rehearse.go, audition.go      whether promises find their nodes
//	outcome.go                    what is said of it; verdict.go, why.go, finish.go and foresee.go
//
// They stand on trainee.go (a job: sizes.go what it may have, draft.go what is planned for it), timeline.go with
// reserve.go and varied.go (what is reserved, and finding room), precedence.go with order.go (who goes before whom, and
// who gives way) and undo.go (what did not work out). Around them, settle.go and after.go plan again until acting on
// the decision changes nothing more, pods.go with clearing.go sees to it that pods of others find their GPUs on one
// node, moves.go and elsewhere.go look for better pools, and awaited.go and change.go mind what was decided and is not
// there yet.
package elastic
