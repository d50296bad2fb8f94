// Package wording is how text for people is put together, whatever it is about.
//
// What comes in are sentences and figures; what goes out is text that a status has room for. It knows of no job.
package wording
