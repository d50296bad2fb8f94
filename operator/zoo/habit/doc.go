// Package habit describes how trainings behave that people run, and lives through them second by second. The
// zoo plays them on a clock of its own, and e2e/lib/training on a real control plane, where a minute takes a second.
package habit
