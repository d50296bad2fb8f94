package localcluster

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
)

const (
	// Ports are drawn below the range that the system gives to outgoing connections, so that a component that
	// restarts finds its port still free.
	lowestPort, highestPort = 20_000, 30_000
	// They are drawn in blocks, so that no two clusters that start at the same time draw the same: whoever holds
	// the first port of a block, which no component has, has all of it.
	block = 16
)

// claimPorts draws ports on loopback for some names, or keeps those already drawn if all are still free. No
// other cluster draws them until the claim is closed; by then the components must have them.
func claimPorts(known map[string]int, names []string) (ports map[string]int, claim io.Closer, err error) {
	if claim, ok := hold(known, names); ok {
		return known, claim, nil
	}
	for range 1000 {
		first, drawn := lowestPort+block*rand.IntN((highestPort-lowestPort)/block), map[string]int{}
		for i, name := range names {
			drawn[name] = first + 1 + i
		}
		if claim, ok := hold(drawn, names); ok {
			return drawn, claim, nil
		}
	}
	return nil, nil, errors.New("no free ports between 20000 and 30000 on 127.0.0.1: stop what uses them")
}

// hold holds the block of some ports, if all of them are free.
func hold(ports map[string]int, names []string) (io.Closer, bool) {
	least := highestPort
	for _, name := range names {
		least = min(least, ports[name])
	}
	if least < lowestPort { // one was never drawn
		return nil, false
	}
	first := least - (least-lowestPort)%block
	claim, err := listen(first)
	if err != nil {
		return nil, false
	}
	for _, name := range names {
		listener, err := listen(ports[name])
		if err != nil || listener.Close() != nil {
			_ = claim.Close()
			return nil, false
		}
	}
	return claim, true
}

func listen(port int) (net.Listener, error) {
	return net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
}
