// Package doctor says what is wrong with an installation of Takt and with the jobs that it looks after, and what to do
// about each.
//
// What comes in are facts that somebody has gathered, among them what could not be seen; what goes out are findings. It
// knows of no cluster.
package doctor
