package cluster

import (
	"net"
	"testing"
)

// Processes of this machine connect to each other all the time, from whatever port is free.
func TestAConnectionDoesNotTakeAFreeAddress(t *testing.T) {
	t.Parallel()
	server, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var address string
	var connection net.Conn
	for range 10 { // another process may have the port at 127.0.0.1
		address = AddressFor(t)
		at, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: at.Port}}
		if connection, err = from.DialContext(t.Context(), "tcp", server.Addr().String()); err == nil {
			break
		}
	}
	if connection == nil {
		t.Fatal("no connection can be made from any of the ports")
	}
	defer connection.Close()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal("a connection has taken the address:", err)
	}
	_ = listener.Close()
}
