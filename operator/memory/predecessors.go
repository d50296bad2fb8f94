package memory

import "maps"

// SawSucceed remembers that one has succeeded that the job starts after, and when; until the status says so, nobody
// else may know of it any more.
func (r *Job) SawSucceed(name, at string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.succeeded == nil {
		r.succeeded = map[string]string{}
	}
	r.succeeded[name] = at
}

// AwaitsOnly forgets all but some that the job starts after.
func (r *Job) AwaitsOnly(these func(name string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.succeeded, func(name, _ string) bool { return !these(name) })
}

// SeenToSucceed is when one has succeeded, as this process has seen it.
func (r *Job) SeenToSucceed(name string) (at string, seen bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, seen = r.succeeded[name]
	return at, seen
}
