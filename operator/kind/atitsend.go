package kind

import "fmt"

// AtItsEnd is the sentence about a job some of whose workers have finished; it begins with who has.
func AtItsEnd(whoHave string) string {
	return fmt.Sprintf("%s finished, so its training is at its end, and its size stays as it is.", whoHave)
}
