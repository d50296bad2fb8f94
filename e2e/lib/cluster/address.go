package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// FreeAddress is one on loopback for a process that is yet to listen there. Until it does, nothing else takes it: no
// other test draws the same host, and connections between processes of this machine go out from 127.0.0.1, from ports
// above those drawn here.
func FreeAddress(ctx context.Context) (string, error) {
	for range 100 {
		host := net.IPv4(127, byte(1+rand.IntN(254)), byte(rand.IntN(256)), byte(1+rand.IntN(254)))
		address := fmt.Sprintf("%s:%d", host, 30_000+rand.IntN(2_000))
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
		if err == nil {
			return address, listener.Close()
		}
	}
	return "", errors.New("no address on loopback is free")
}

// AddressFor is a FreeAddress for a test.
func AddressFor(t testing.TB) string {
	t.Helper()
	address, err := FreeAddress(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return address
}
