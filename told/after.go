package told

import "fmt"

// Awaits says of those that the job starts after which have succeeded; nothing of a job that waits for none.
func (j Job) Awaits() []string {
	awaited := j.Awaited()
	if len(awaited) == 0 {
		return nil
	}
	var said []string
	for _, p := range j.Status.After {
		if at, err := p.SucceededAt.Time(); err == nil {
			said = append(said, fmt.Sprintf("%s has succeeded, %s.", p.Name, From(j.Now, at)))
		}
	}
	for _, name := range awaited {
		said = append(said, fmt.Sprintf("%s has not succeeded yet: takt why %[1]s tells how it stands.", name))
	}
	return said
}
