// Package reading reads how far one job is and how busy its GPUs are, again and again while it runs, and learns from
// it.
//
// What comes in is a request to look at an ElasticJob; what goes out is what its run has learned, profiles, and a word
// to whoever plans and reports that there is news. It writes nothing to the job, and holds up no other namespace.
package reading
