// Package reach says which sizes a job may have, and which of them its running workers can have.
//
// What comes in is the range that a job has itself, what it is asked for besides, and the range that its running
// workers were started for. What goes out is the range to plan with, the sizes of it that there are, and whether it
// takes a restart to have any of them.
package reach
