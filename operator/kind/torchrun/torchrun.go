package torchrun

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic/resize"
)

// FewestRestarts is what the workers that run must have to be resized while they train, many times: every shrink uses
// one up.
const FewestRestarts = 10

// Environment is a variable of a container that has a value of its own; nil is a container without any.
func Environment(c *corev1.Container, name string) (string, bool) {
	if c == nil {
		return "", false
	}
	for _, e := range slices.Backward(c.Env) { // the last one wins
		if e.Name == name {
			return e.Value, true
		}
	}
	return "", false
}

// beginnings are how short options of torchrun may be written: its parser takes any beginning that none of its other
// options has.
var beginnings = map[string]string{
	"nnodes": "--nn", "max-restarts": "--max", "rdzv-backend": "--rdzv-b", "rdzv-conf": "--rdzv-c", "rdzv-id": "--rdzv-i",
}

// Option is what the command of a container says for an option of torchrun, which wins over every variable. A variable
// in it stands for its value, if the container or its command sets it. A value that is known elsewhere alone counts as
// not said, and so does that of a variable that a controller fills in.
func Option(c *corev1.Container, name string, filled ...string) (string, bool) {
	s, whole, least := read(c, filled), "--"+name, beginnings[name]
	for i, word := range s.words {
		flag, value, given := strings.Cut(word, "=")
		flag = strings.ReplaceAll(flag, "_", "-")
		short := least != "" && strings.HasPrefix(flag, least) && strings.HasPrefix(whole, flag) && !s.ofTraining(i)
		if flag != whole && !short {
			continue
		}
		if !given && i+1 < len(s.words) {
			value = s.words[i+1]
		}
		if value, known := s.filledIn(strings.Trim(value, around)); known && value != "" {
			return value, true
		}
	}
	return "", false
}

// ofTraining says that a word comes behind the script that is launched: what is short there may be an option of it.
func (s script) ofTraining(i int) bool {
	for i--; i >= 0; i-- {
		switch word := s.words[i]; {
		case launches(word):
			return false
		case strings.HasSuffix(word, ".py"), i > 0 && (s.words[i-1] == "-m" || s.words[i-1] == "--module"):
			return true
		}
	}
	return false
}

func launches(word string) bool {
	return strings.Contains(word, "torchrun") || strings.Contains(word, "torch.distributed")
}

// NodesRange reads what --nnodes says as a range, such as 1:4.
func NodesRange(text string) (least, most resize.Workers, ok bool) {
	low, high, ranged := strings.Cut(text, ":")
	a, errLow := strconv.Atoi(low)
	b, errHigh := strconv.Atoi(high)
	ok = ranged && errLow == nil && errHigh == nil && 1 <= a && a <= b && b <= mostNodes
	return resize.Workers(a), resize.Workers(b), ok
}

// OneSize is the size that --nnodes says, where it says one; 0 where it does not.
func OneSize(text string) resize.Workers {
	if n, err := strconv.ParseUint(text, 10, 22); err == nil {
		return resize.Workers(n)
	}
	return 0
}

// mostNodes is what no training has: whoever writes more has to be reckoned with as little as one who writes a word.
const mostNodes = 1 << 22
