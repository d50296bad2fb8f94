package checkpoint

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// story is what happens to a folder, second after second.
type story struct {
	t      *testing.T
	folder string
	now    time.Time
}

// write writes a file as of a number of seconds ago by the clock of its file server.
func (s story) write(name string, bytes int, ago time.Duration) {
	s.t.Helper()
	path := filepath.Join(s.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("x", bytes)), 0o600); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Chtimes(path, s.now.Add(-ago), s.now.Add(-ago)); err != nil {
		s.t.Fatal(err)
	}
}

func (s story) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.folder, name)); err != nil {
		s.t.Fatal(err)
	}
}

func TestCheckpointsAreNoticedOnceTheyAreWhole(t *testing.T) {
	for name, test := range map[string]struct {
		pattern string // within the folder
		before  func(story)
		happens map[int]func(story) // at a second, which are looked at every two
		want    string              // the second of each checkpoint, and when it is noticed
	}{
		"one": {
			happens: map[int]func(story){5: func(s story) { s.write("c-1/model", 100, 0) }},
			want:    "5 at 10",
		},
		"one that is written for long": {
			happens: map[int]func(story){
				5: func(s story) { s.write("c-1/model", 100, 0) }, 7: func(s story) { s.write("c-1/model", 200, 0) },
				9: func(s story) { s.write("c-1/optimizer", 100, 0) }, 11: func(s story) { s.write("c-1/optimizer", 900, 0) },
			},
			want: "11 at 16",
		},
		"over the last one": {
			before: func(s story) { s.write("model", 100, time.Hour) },
			happens: map[int]func(story){5: func(s story) { s.write("model", 100, 0) },
				21: func(s story) { s.write("model", 100, 0) }},
			want: "5 at 10, 21 at 26",
		},
		"there before": {before: func(s story) { s.write("c-1/model", 100, time.Hour) }},
		"an old one that goes": {
			before:  func(s story) { s.write("c-1/model", 100, time.Hour); s.write("c-2/model", 100, time.Minute) },
			happens: map[int]func(story){5: func(s story) { s.remove("c-1") }, 11: func(s story) { s.remove("c-2") }},
		},
		"one after the newest went": {
			before: func(s story) { s.write("c-2/model", 100, 0) },
			happens: map[int]func(story){5: func(s story) { s.remove("c-2") },
				11: func(s story) { s.write("c-1/model", 100, 0) }},
			want: "11 at 16",
		},
		"on a server whose clock is an hour behind": {
			before:  func(s story) { s.write("c-1/model", 100, 2*time.Hour) },
			happens: map[int]func(story){5: func(s story) { s.write("c-2/model", 100, time.Hour) }},
			want:    "6 at 10",
		},
		"on a server whose clock is an hour ahead": {
			happens: map[int]func(story){5: func(s story) { s.write("c-2/model", 100, -time.Hour) }},
			want:    "6 at 10",
		},
		"beside other files": {
			pattern: "c-*",
			happens: map[int]func(story){
				3: func(s story) { s.write("events", 100, 0) }, 5: func(s story) { s.write("c-1/model", 100, 0) },
				7: func(s story) { s.write("events", 200, 0) }, 9: func(s story) { s.write("events", 300, 0) },
			},
			want: "5 at 10",
		},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now().Truncate(time.Second)
			s := story{t, t.TempDir(), began}
			if test.before != nil {
				test.before(s)
			}
			path := NewPath(filepath.Join(s.folder, test.pattern), began)
			var noticed []string
			for second := range 40 {
				s.now = began.Add(time.Duration(second) * time.Second)
				if do := test.happens[second]; do != nil {
					do(s)
				}
				if second == 0 || second%2 != 0 {
					continue
				}
				if at := path.Look(s.now); !at.IsZero() {
					noticed = append(noticed, strconv.Itoa(int(at.Sub(began).Seconds()))+" at "+strconv.Itoa(second))
				}
			}
			if got := strings.Join(noticed, ", "); got != test.want {
				t.Errorf("noticed: %q, want %q", got, test.want)
			}
		})
	}
}
