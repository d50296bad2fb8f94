// Package tables puts jobs and queues into columns.
//
// What comes in are objects of the API and the time; what goes out are rows of text, the most urgent first. It knows of
// no cluster.
package tables
