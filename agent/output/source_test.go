package output

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// Processes that the training has left behind may write for ever, and the container ends all the same.
func TestAfterTheEndNoMoreIsReadThanThePipeHolds(t *testing.T) {
	source, write, err := Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	line := bytes.Repeat([]byte("x"), 4096)
	read := 0
	source.End()
	for {
		if _, err := write.Write(line); err != nil {
			t.Fatal(err)
		}
		n, err := source.Read(line)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if read += n; read > 2*pipeSize {
			t.Fatal("it reads on and on")
		}
	}
	if read < pipeSize {
		t.Errorf("%d bytes are read, and the pipe may have held %d", read, pipeSize)
	}
}

func TestWhatIsInThePipeAtTheEndIsRead(t *testing.T) {
	source, write, err := Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close() // it stays open, as an orphan would hold it
	if _, err := write.WriteString("the last words"); err != nil {
		t.Fatal(err)
	}
	source.End()
	got, err := io.ReadAll(source)
	if err != nil || string(got) != "the last words" {
		t.Errorf("got %q (%v)", got, err)
	}
}
