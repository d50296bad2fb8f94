package process

import (
	"net"
	"os"
	"testing"
)

func TestWhoListensIsKnown(t *testing.T) {
	if Listens(os.Getpid()) {
		t.Fatal("this test listens before it does")
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if !Listens(os.Getpid()) {
		t.Error("it is not known that this test listens")
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if Listens(os.Getpid()) {
		t.Error("it is taken to listen, and does no longer")
	}
	if !Listens(1 << 30) {
		t.Error("it is known of nobody that nobody listens")
	}
}
