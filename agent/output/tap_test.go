package output

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func pipe(t *testing.T) (read, write *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = read.Close(), write.Close() })
	return read, write
}

// Whatever the reading of the output is up to, the training writes on.
func TestNobodyWaitsForWhoeverLooks(t *testing.T) {
	from, training, err := Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, to := pipe(t)
	tap := NewTap(1)
	looks, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	last := ""
	tap.Look = func(line []byte, _ bool) {
		once.Do(func() {
			close(looks)
			<-goOn
		})
		last = string(line)
	}
	tap.Count, tap.Failed = func(uint64, uint64) {}, func(err error) { t.Error(err) }
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tap.Run()
	}()
	stream := Stream{From: from, To: to, Tap: tap, Finished: make(chan struct{}), Failed: func(err error) { t.Error(err) }}
	go func() {
		stream.Copy()
		_ = to.Close()
	}()
	wanted := bytes.Repeat([]byte("0123456789\n"), 1<<20)
	go func() {
		_, _ = training.WriteString("first\n")
		<-looks
		_, _ = training.Write(wanted)
		_ = training.Close()
	}()
	all, err := io.ReadAll(out)
	if err != nil || !bytes.Equal(all, append([]byte("first\n"), wanted...)) {
		t.Errorf("of %d bytes %d arrive (%v)", len(wanted), len(all), err)
	}
	close(goOn)
	tap.Close()
	<-ended
	if last != "0123456789" {
		t.Errorf("a line that was cut is taken for one: %q", last)
	}
}

func TestWhatNobodyHadABufferForIsAGap(t *testing.T) {
	source, training, err := Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer training.Close()
	out, to := pipe(t)
	tap := NewTap(1)
	stream := Stream{From: source, To: to, Tap: tap}
	var looked, passed []string
	tap.Look = given(&looked)
	tap.Count, tap.Failed = func(uint64, uint64) {}, func(err error) { t.Error(err) }
	pass := func(text string) {
		t.Helper()
		if _, err := training.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if _, err := stream.once(make([]byte, bufferSize)); err != nil {
			t.Fatal(err)
		}
		copied := make([]byte, bufferSize)
		n, err := out.Read(copied)
		if err != nil {
			t.Fatal(err)
		}
		passed = append(passed, string(copied[:n]))
	}
	pass("one\nstep 4")
	var held [][]byte
	for range buffers - 1 {
		held = append(held, tap.buffer())
	}
	pass("20/1000\n")
	for _, b := range held {
		tap.free <- b
	}
	pass("9/10\ntwo\nthree\n")
	tap.Close()
	tap.Run()
	if want := []string{"one\nstep 4", "20/1000\n", "9/10\ntwo\nthree\n"}; !slices.Equal(passed, want) {
		t.Errorf("%q is passed on, want %q", passed, want)
	}
	if want := []string{"one", "two", "three"}; !slices.Equal(looked, want) {
		t.Errorf("%q is looked at, want %q", looked, want)
	}
}

func TestOfTooManyLinesSomeAreLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const perSecond, seconds = 50000, 60
		tap := NewTap(1)
		var looked, lines, skipped uint64
		tap.Look = func([]byte, bool) { looked++ }
		tap.Count = func(l, s uint64) { lines, skipped = lines+l, skipped+s }
		tap.Failed = func(err error) { t.Error(err) }
		go tap.Run()
		piece10ms := strings.Repeat("step 1/2\n", perSecond/100)
		for range seconds * 100 {
			b := tap.buffer()
			tap.give(piece{buffer: b, bytes: copy(b, piece10ms)})
			time.Sleep(10 * time.Millisecond) //nolint:forbidigo // in a bubble, no time passes
			synctest.Wait()
		}
		tap.Close()
		synctest.Wait()
		if lines != perSecond*seconds || looked+skipped != lines {
			t.Errorf("there are %d lines, of which %d are looked at and %d are not", lines, looked, skipped)
		}
		if most := uint64(linesPerSecond * (seconds + 1)); looked > most || looked < most-2*linesPerSecond {
			t.Errorf("%d lines are looked at, want about %d", looked, most)
		}
	})
}

func TestABarIsLookedAtWhileItStands(t *testing.T) {
	for name, test := range map[string]struct {
		written string
		want    string
	}{
		"a bar":                     {"\r 41%|####|\r 42%|####|", " 42%|####|"},
		"a line that is not ended":  {"one\nstep 42", "one"},
		"a block of a buffered bar": {"\r" + strings.Repeat("#", block-3) + "42", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tap := NewTap(1)
				last := ""
				tap.Look = func(line []byte, _ bool) { last = string(line) }
				tap.Count, tap.Failed = func(uint64, uint64) {}, func(err error) { t.Error(err) }
				go tap.Run()
				b := tap.buffer()
				tap.give(piece{buffer: b, bytes: copy(b, test.written)})
				time.Sleep(2 * atRest) //nolint:forbidigo // in a bubble, no time passes
				synctest.Wait()
				if last != test.want {
					t.Errorf("after a while %q was looked at last, want %q", last, test.want)
				}
				tap.Close()
				synctest.Wait()
			})
		})
	}
}

func TestWhatIsWrittenRarelyIsPassedOnAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pace{timer: time.NewTimer(0), room: pipeSize}
		began := time.Now()
		for range 100 {
			p.wait(80, nil)
			time.Sleep(100 * time.Millisecond) //nolint:forbidigo // in a bubble, no time passes
		}
		if waited := time.Since(began) - 100*100*time.Millisecond; waited != 0 {
			t.Errorf("10 lines a second wait for %s in all", waited)
		}
		reads := 0
		for began = time.Now(); time.Since(began) < time.Second; reads++ {
			p.wait(80, nil)
			time.Sleep(time.Millisecond) //nolint:forbidigo // in a bubble, no time passes
		}
		if reads > 25 {
			t.Errorf("of 1000 lines a second each %d are read by themselves", reads)
		}
		began = time.Now()
		for range 1000 {
			p.wait(bufferSize, nil)
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("what is written in great pieces waits for %s", waited)
		}
	})
}

// A training that writes fast fills the pipe within a pause, and then waits.
func TestWhatIsWrittenFastIsNotHeldUp(t *testing.T) {
	for name, test := range map[string]struct{ room, perMillisecond int }{
		"20 MB a second": {pipeSize, 20 << 10}, "200 KB a second through a small pipe": {8 << 10, 200},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := pace{timer: time.NewTimer(0), room: test.room}
				full := 0
				for last, began := time.Now(), time.Now(); time.Since(began) < 10*time.Second; {
					written := test.perMillisecond * int(time.Since(last).Milliseconds())
					if written > test.room {
						full++
					}
					last = time.Now()
					for written = min(written, test.room); written > bufferSize; written -= bufferSize {
						p.wait(bufferSize, nil)
					}
					p.wait(written, nil)
					time.Sleep(time.Millisecond) //nolint:forbidigo // in a bubble, no time passes
				}
				if full > 2 { // at the start, before anybody can tell
					t.Errorf("it is full %d times", full)
				}
			})
		})
	}
}
