// Package show is how results are shown to people and to other programs: columns, prose that is wrapped, spans of time,
// JSON, and a screen with a table that is drawn anew in its place.
//
// What comes in are texts and values; what goes out is text. It knows of no cluster and of no job.
package show
