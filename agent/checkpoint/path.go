package checkpoint

import (
	"io/fs"
	"path/filepath"
	"time"
)

// maxFiles is how many files are looked at each time. A folder with more holds no checkpoints alone.
const maxFiles = 20000

// state is what a path holds at one moment.
type state struct {
	newest time.Time
	bytes  int64
	files  int
	more   bool // than are looked at
}

// Path is a file, a folder or a pattern such as /data/out/checkpoint-*, in which a training saves its state.
type Path struct {
	pattern string

	saved  state     // at rest
	seen   state     // when it was last looked at
	lookAt time.Time // that moment
	moving bool      // something was written since it was at rest
	quiet  time.Time // when it was last seen to move
}

// NewPath looks at what is there already: that is no checkpoint of this training.
func NewPath(pattern string, now time.Time) *Path {
	p := &Path{pattern: pattern, lookAt: now}
	p.saved = look(pattern)
	p.seen = p.saved
	return p
}

// atRest is how long nothing must have been written for a checkpoint to count as whole.
const atRest = 4 * time.Second

// Look says when a checkpoint was completed, once nothing more is written to it; zero if there is none.
func (p *Path) Look(now time.Time) time.Time {
	before := p.lookAt
	at := look(p.pattern)
	moved := at != p.seen
	p.seen, p.lookAt = at, now
	if moved {
		// Files that go are no checkpoint: old ones are removed.
		if at.newest.After(p.saved.newest) || at.bytes > p.saved.bytes {
			p.moving, p.quiet = true, within(at.newest, before, now)
		} else if !p.moving {
			p.saved = at
		}
		return time.Time{}
	}
	if !p.moving || now.Sub(p.quiet) < atRest {
		return time.Time{}
	}
	p.moving, p.saved = false, at
	return p.quiet
}

// TooMany says that the path holds more files than are looked at.
func (p *Path) TooMany() bool { return p.seen.more }

// within trusts the clock of a file only as far as it agrees with when the change was seen: a file server may
// have a clock of its own.
func within(at, after, before time.Time) time.Time {
	if at.Before(after) || at.After(before) {
		return before
	}
	return at
}

// look looks at the files, and not at the folders: those change when something is removed.
func look(pattern string) state {
	var s state
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		paths = []string{pattern}
	}
	for _, path := range paths {
		_ = filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return nil //nolint:nilerr // what has gone meanwhile is not there
			}
			if s.files >= maxFiles {
				s.more = true
				return fs.SkipAll
			}
			if info, err := entry.Info(); err == nil {
				s.files++
				s.bytes += info.Size()
				if info.ModTime().After(s.newest) {
					s.newest = info.ModTime()
				}
			}
			return nil
		})
	}
	return s
}
