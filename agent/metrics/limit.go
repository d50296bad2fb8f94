package metrics

import (
	"io"
	"log"
	"net"
	"sync"
)

// silent is for servers: what strangers send is nothing to tell in the output of a training.
var silent = log.New(io.Discard, "", 0)

// Limit is a listener with at most so many connections at a time. Others wait until one ends.
func Limit(on net.Listener, most int) net.Listener {
	return &limited{Listener: on, free: make(chan struct{}, most), closed: make(chan struct{})}
}

type limited struct {
	net.Listener
	free   chan struct{}
	once   sync.Once
	closed chan struct{}
}

func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	connection, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &limitedConn{Conn: connection, free: l.free}, nil
}

func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn
	once sync.Once
	free chan struct{}
}

func (c *limitedConn) Close() error {
	c.once.Do(func() { <-c.free })
	return c.Conn.Close()
}
