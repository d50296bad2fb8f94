// Package habit describes how trainings behave that people run, and lives through them second by second. The
// zoo plays them on a clock of its own, and e2e/lib/training on a real control plane, where a minute takes a second.
//
// What comes in are the steps that workers do in a second; what goes out are the lines that the training prints, what
// it has saved, and how long all of it takes.
package habit
