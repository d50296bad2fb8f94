// Package live says whether a job is resized while it trains.
//
// What comes in is what is seen of a job whose workers could join and leave while it trains. What goes out is why it is
// resized by a restart all the same, where workers that leave might end it as a whole: nobody judges a job by its pods
// that is stopped.
package live
