// Package forecast says what the verdict of a plan is worth while its job goes on.
//
// What comes in is that verdict, and what is seen of the job since: whether its readings may be true no more, and
// whether it runs on though it has told all of its work. What goes out is the verdict that people are told, why that is
// another than the planned one, and how long one that has become worse is kept before a better one is told.
package forecast
