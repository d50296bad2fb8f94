// Package rooms has all rooms of the operator, and gives each what it works with.
//
// What comes in are settings, clients and a clock; what goes out are rooms of which nothing runs yet. Package operator
// has them called by a manager, and tests call them by hand, so that both have the same ones.
package rooms
