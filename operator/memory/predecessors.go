package memory

// SawSucceed remembers that one has succeeded that the job starts after, and when; until the status says so, nobody else
// may know of it any more.
func (r *Job) SawSucceed(name, at string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.succeeded == nil {
		r.succeeded = map[string]string{}
	}
	r.succeeded[name] = at
}

// SeenToSucceed is when one has succeeded, as this process has seen it.
func (r *Job) SeenToSucceed(name string) (at string, seen bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, seen = r.succeeded[name]
	return at, seen
}
