package localcluster

import (
	"errors"
	"math/rand/v2"
	"net"
)

// Ports are drawn below the range that the system gives to outgoing connections, so that a
// component that restarts finds its port still free.
const lowestPort, highestPort = 20_000, 30_000

// freePorts draws a port on loopback for each name, and keeps those already drawn that nobody has
// taken since.
func freePorts(known map[string]int, names []string) (map[string]int, error) {
	ports := map[string]int{}
	taken := map[int]bool{}
	for _, name := range names {
		if port, ok := known[name]; ok && portIsFree(port) {
			ports[name], taken[port] = port, true
		}
	}
	for _, name := range names {
		if ports[name] != 0 {
			continue
		}
		port, err := freePort(taken)
		if err != nil {
			return nil, err
		}
		ports[name], taken[port] = port, true
	}
	return ports, nil
}

func freePort(taken map[int]bool) (int, error) {
	for range 1000 {
		port := lowestPort + rand.IntN(highestPort-lowestPort)
		if !taken[port] && portIsFree(port) {
			return port, nil
		}
	}
	return 0, errors.New("no free port between 20000 and 30000 on 127.0.0.1: stop what uses them")
}

func portIsFree(port int) bool {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
