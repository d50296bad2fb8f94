// Package telling is how people and Prometheus hear of what happens, beside the statuses of objects.
//
// What comes in is what has happened; what goes out are events, none twice in a row, and figures whose labels nobody
// can make endless.
package telling
