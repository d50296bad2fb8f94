package torchrun

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic/resize"
)

// Other launchers and many scripts are told the size of a training by options and variables of their own. The first
// name the workers, the second their processes, of which each worker has as many.
var (
	// accelerate, deepspeed, which takes a beginning as well, Lightning, verl; fairseq
	workerOptions  = []string{"num-machines", "num-nodes", "num-node", "trainer.num-nodes", "trainer.nnodes"}
	processOptions = []string{"world-size", "distributed-world-size", "distributed-training.distributed-world-size",
		numProcesses}
	workerVariables  = []string{"NNODES", "NUM_NODES", "NUM_MACHINES"}
	processVariables = []string{"WORLD_SIZE", "JAX_NUM_PROCESSES"}
)

// numProcesses is what accelerate and JAX are told of the processes on all machines, and other trainings of those that
// they start beside themselves.
const numProcesses = "num-processes"

// SizeInCommand finds where the command of a container says the size that the job was written for, and so would at
// every other size. A number that does not go with that size means something else, such as the nodes of a graph.
// Variables that a controller fills in are named as for Option.
func SizeInCommand(c *corev1.Container, written resize.Workers, filled ...string) (words string, found bool) {
	s := read(c, filled)
	for i := range s.words {
		if words, found := s.sizeAt(i, written); found {
			return words, true
		}
	}
	return "", false
}

// SizeInEnvironment finds such a size in a variable. torchrun gives its processes others.
func SizeInEnvironment(c *corev1.Container, written resize.Workers, filled ...string) (words string, found bool) {
	s := read(c, filled)
	if slices.ContainsFunc(s.words, launches) {
		return "", false
	}
	for _, name := range slices.Concat(workerVariables, processVariables) {
		text, known := s.value(name, "", len(s.set), furthest)
		if known && goesWith(text, written, slices.Contains(processVariables, name)) {
			return fmt.Sprintf("%s=%s", name, text), true
		}
	}
	return "", false
}

// sizeAt says whether the word at a place is an option with the size, or a setting, which has no dashes.
func (s script) sizeAt(i int, written resize.Workers) (words string, found bool) {
	flag, value, given := strings.Cut(strings.Trim(s.words[i], around), "=")
	option := strings.ReplaceAll(strings.TrimLeft(flag, "-+"), "_", "-")
	processes := slices.Contains(processOptions, option)
	if !processes && !slices.Contains(workerOptions, option) || !given && !strings.HasPrefix(flag, "-") ||
		option == numProcesses && !s.says("accelerate") && !s.says("coordinator") {
		return "", false
	}
	between := "="
	if !given && i+1 < len(s.words) {
		value, between = s.words[i+1], " "
	}
	text, known := s.filledIn(strings.Trim(value, around))
	return flag + between + text, known && goesWith(text, written, processes)
}

// says that some words are in the command.
func (s script) says(words string) bool {
	return slices.ContainsFunc(s.words, func(word string) bool { return strings.Contains(word, words) })
}

// goesWith says whether a number is that of some workers, or of their processes.
func goesWith(text string, workers resize.Workers, processes bool) bool {
	n, err := strconv.ParseUint(text, 10, 22)
	return err == nil && n > 0 && workers > 0 &&
		(resize.Workers(n) == workers || processes && resize.Workers(n)%workers == 0)
}
