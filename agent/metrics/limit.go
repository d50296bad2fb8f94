package metrics

import (
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// silent is for servers: what strangers send is nothing to tell in the output of a training.
var silent = log.New(io.Discard, "", 0)

// toAsk is how long whoever connects has to ask for something before another may take the place. Those who connect
// again and again take no more than a few of these a second.
const toAsk = 100 * time.Millisecond

// Limit is a listener for a server with at most so many connections at a time. Where there are as many, the oldest on
// which no request has come as a whole gives way to the next; while all of them are answered, that waits.
func Limit(server *http.Server, on net.Listener, most int) net.Listener {
	l := &limited{Listener: on, most: most, changed: make(chan struct{}, 1), closed: make(chan struct{})}
	server.ConnState = l.state
	return l
}

type limited struct {
	net.Listener
	most    int
	changed chan struct{}
	once    sync.Once
	closed  chan struct{}

	mu   sync.Mutex
	open []*limitedConn // the oldest first
}

func (l *limited) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &limitedConn{Conn: accepted, of: l, since: time.Now()}
	for {
		oldest, wait, added := l.add(c)
		switch {
		case added:
			return c, nil
		case oldest != nil && wait <= 0:
			_ = oldest.Close()
			continue
		case oldest == nil:
			wait = time.Hour
		}
		look := time.NewTimer(wait)
		select {
		case <-l.changed:
		case <-look.C:
		case <-l.closed:
			_ = accepted.Close()
			return nil, net.ErrClosed
		}
		look.Stop()
	}
}

// add adds a connection if there is a place. If not, it gives the one that is to give way, and in which time.
func (l *limited) add(c *limitedConn) (oldest *limitedConn, wait time.Duration, added bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) < l.most {
		c.since = time.Now()
		l.open = append(l.open, c)
		return nil, 0, true
	}
	at := slices.IndexFunc(l.open, func(o *limitedConn) bool { return !o.asked })
	if at < 0 {
		return nil, 0, false
	}
	return l.open[at], toAsk - time.Since(l.open[at].since), false
}

// state notes whether there is a request on a connection that is not answered yet.
func (l *limited) state(of net.Conn, now http.ConnState) {
	if c, ok := of.(*limitedConn); ok {
		l.mu.Lock()
		c.asked = now == http.StateActive
		l.mu.Unlock()
		l.change()
	}
}

func (l *limited) change() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn
	of    *limited
	since time.Time
	asked bool
}

func (c *limitedConn) Close() error {
	c.of.mu.Lock()
	c.of.open = slices.DeleteFunc(c.of.open, func(o *limitedConn) bool { return o == c })
	c.of.mu.Unlock()
	c.of.change()
	return c.Conn.Close()
}
