// Package order says who is placed first. It knows no Kubernetes, and no clock.
//
// Everything that waits has one moment by which it is sorted, and which does not change while it waits:
//
//	due = the latest moment to start, but never before it came, nor later than [Order.Patience] after
//	due − priority × [Order.HeadStart]
//
// Only what was begun, and not ended, comes before all that. So what has least time left comes first; what has no
// deadline has one nevertheless, some minutes after it came; and a level of priority is worth a head start. Nobody
// starves: whatever comes more than Patience and the head start of its priority later is sorted behind.
//
// What comes in is how urgent something is; what goes out is that moment.
package order
