// Package planning looks at the whole cluster, lets the core decide who should have how many workers, and begins the
// resizes that may begin now.
//
// What comes in is a word that something has happened, and the cluster as it is cached; what goes out are Resizes,
// statuses of queues, what is remembered of each decision, and a note on a job whose size somebody else has set, or
// that Takt lets go of. It sleeps while nothing happens. Who gets what is decided in the core alone ([elastic.Plan]).
package planning
