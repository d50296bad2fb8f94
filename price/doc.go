// Package price says what an hour of a GPU costs, by the kind of GPU.
//
// What comes in is what people write, in a file of settings or on a command line; what goes out is a price, or that
// there is none.
package price
