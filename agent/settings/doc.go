// Package settings is what a job says of how its training is followed: by flags of the agent, in the
// environment of the container, or by annotations of the pod, of which the first counts that says anything.
//
// What comes in are arguments, an environment and annotations; what goes out are Settings, the command that is wrapped,
// and all that makes no sense. What makes none is left out, for the training goes on without it.
package settings
