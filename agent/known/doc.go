// Package known keeps what is known of the one training that the agent wraps, for whoever asks.
//
// What comes in is what others have found out, each beside the others; what goes out is a View, all of it at one
// moment. Of several sources of progress the best counts.
package known
