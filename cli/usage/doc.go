// Package usage is how the commands of takt are called: flags that know what they may be, and the sentences that tell
// of a call that makes no sense.
//
// What comes in is what somebody has typed; what goes out are values, or a MisuseError.
package usage
