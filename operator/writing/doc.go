// Package writing is how the operator writes to a cluster: only onto what it has read, and never twice.
//
// What comes in are objects as they were read, and what is to change; what goes out are patches that are refused if
// somebody else was first. That is no failure: the object is looked at again.
package writing
