// Package begin says which changes of a decision may begin now, and how much of each.
//
// What comes in are the decision of package elastic, the snapshot that it was made of, and what is seen of jobs and
// pods at this moment: what is under way, what has failed before, what still holds GPUs. What goes out are the changes
// to begin, those to withdraw, and what hinders the others. What cannot begin yet is left for a later plan: it decides
// the same, as long as nothing else has changed. A process that has just started asks whether to decide at all yet.
package begin
