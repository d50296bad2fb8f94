package cluster

import (
	"net"
	"testing"
)

// Processes of this machine connect to each other all the time, from whatever port is free.
func TestAConnectionDoesNotTakeAFreeAddress(t *testing.T) {
	t.Parallel()
	address, err := FreeAddress(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	server, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	from, err := net.ResolveTCPAddr("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	connection, err := (&net.Dialer{LocalAddr: from}).DialContext(t.Context(), "tcp", server.Addr().String())
	if err != nil {
		t.Skip("the port is in use by another process:", err)
	}
	defer connection.Close()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal("a connection has taken the address:", err)
	}
	_ = listener.Close()
}
