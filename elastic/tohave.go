package elastic

import "strings"

// What begins why a job has its size: it has it, is to have it, or starts with it.
const (
	has        = "It has "
	isToHave   = "It is to have "
	startsWith = "It starts with "
)

// ToHave is why a job is to have a size that it has not got yet, or no more.
func ToHave(why string) string {
	if rest, ok := strings.CutPrefix(why, has); ok {
		return isToHave + rest
	}
	return why
}

// toHave says of every job that is given another size than it has that this is yet to come. What was decided in
// several steps was put into words as if the steps before had been taken.
func (d Decision) toHave(jobs []Job) {
	for i, j := range jobs {
		o := &d.Jobs[i]
		switch rest, ok := strings.CutPrefix(o.Why, has); {
		case !ok || o.Workers == j.Workers:
		case j.Workers == 0:
			o.Why = startsWith + rest
		default:
			o.Why = isToHave + rest
		}
	}
}
