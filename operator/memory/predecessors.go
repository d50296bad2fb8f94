package memory

import "maps"

// SawSucceed remembers that one has succeeded that the job starts after, and when; until the status says so, nobody
// else may know of it any more.
func (j *Job) SawSucceed(name, at string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.succeeded == nil {
		j.succeeded = map[string]string{}
	}
	j.succeeded[name] = at
}

// KeepSucceeded forgets of those that have succeeded all but some.
func (j *Job) KeepSucceeded(these func(name string) bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	maps.DeleteFunc(j.succeeded, func(name, _ string) bool { return !these(name) })
}

// SeenToSucceed is when one has succeeded, as this process has seen it.
func (j *Job) SeenToSucceed(name string) (at string, seen bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	at, seen = j.succeeded[name]
	return at, seen
}
