// Package install copies the agent to where the training finds it. The init container has nothing but the
// agent itself: no shell, and no cp.
//
// What comes in is the path of a program, and a folder; what goes out is a copy of the program in it, whole or not at
// all.
package install
