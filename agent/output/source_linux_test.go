package output

import (
	"syscall"
	"testing"
)

// Where a user has many pipes, the kernel makes them small, and no larger.
func TestHowMuchAPipeHoldsIsAsked(t *testing.T) {
	_, write, err := Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	const least = 8 << 10
	for _, want := range []int{least, 256 << 10} {
		if _, _, err := syscall.Syscall(syscall.SYS_FCNTL, write.Fd(), setPipeSize, uintptr(want)); err != 0 {
			want = least // larger is refused to who has many pipes, and smaller to nobody
		}
		if got := roomOf(int(write.Fd())); got != want {
			t.Errorf("it is said to hold %d bytes, and holds %d", got, want)
		}
	}
}
