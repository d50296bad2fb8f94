package printed

import "regexp"

// call is a line of a script that calls a function with a dictionary, as the SDK of Kubeflow writes it below a function
// that it was given; argument is an entry of that dictionary.
var (
	call     = regexp.MustCompile(`(?m)^[ \t]*[a-z_][a-z0-9_.]*\((?:\*\*)?\{(.*)\}\)[ \t]*$`)
	argument = regexp.MustCompile(`['"]([a-z][a-z0-9_]*)['"]: ?([0-9]+)\b`)
)

// called is how much a script is told to do where it calls its function: this counts, and not what the function does
// where it is told nothing.
func called(script string) Work {
	s := seen{command: true}
	script = script[max(0, len(script)-maxPiece):]
	for _, line := range call.FindAllStringSubmatch(script, -1) {
		for _, entry := range argument.FindAllStringSubmatch(line[1], -1) {
			s.readPlan(entry[1] + "=" + entry[2])
		}
	}
	if s.unclear {
		return Work{}
	}
	return s.planned.or(s.optional)
}
