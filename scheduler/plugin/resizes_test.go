package plugin

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"
)

// kindServer answers for Resizes as an API server does: 404 as long as it does not have the kind, 403 as long as
// nobody has the right to read it. What is watched stays open.
type kindServer struct{ refuses atomic.Int32 }

func (k *kindServer) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := func(code int, body io.ReadCloser) (*http.Response, error) {
		return &http.Response{StatusCode: code, Header: http.Header{"Content-Type": {"application/json"}}, Body: body,
			Request: r}, nil
	}
	if code := int(k.refuses.Load()); code != 0 {
		return answer(code, io.NopCloser(strings.NewReader("{}")))
	}
	if r.URL.Query().Get("watch") != "" {
		open, _ := io.Pipe()
		return answer(http.StatusOK, open)
	}
	return answer(http.StatusOK, io.NopCloser(strings.NewReader(
		`{"apiVersion":"takt.dev/v1alpha1","kind":"ResizeList","metadata":{"resourceVersion":"1"},"items":[]}`)))
}

// Gangs wait for their Resizes while these cannot be read. Whoever installs the kinds, or gives the right, after the
// scheduler has run for a while, waits no longer for that than who did so before.
func TestResizesAreReadSoonAfterTheyCanBe(t *testing.T) {
	for name, code := range map[string]int{"the kind is there": http.StatusNotFound,
		"the right is given": http.StatusForbidden} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &kindServer{}
				server.refuses.Store(int32(code))
				client, err := resizeClient(&rest.Config{Host: "http://api", Transport: server})
				if err != nil {
					t.Fatal(err)
				}
				var why atomic.Value
				informer, err := resizeInformer(client, func(err error) { why.Store(unreadable(err)) })
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				var running sync.WaitGroup
				running.Go(func() { informer.RunWithContext(ctx) })
				defer func() { cancel(); running.Wait() }()
				<-time.After(10 * time.Minute)
				if said, _ := why.Load().(string); said == "" || informer.HasSynced() {
					t.Errorf("while they cannot be read: %q", said)
				}
				server.refuses.Store(0)
				<-time.After(3 * time.Second)
				synctest.Wait()
				if said, _ := why.Load().(string); said != "" || !informer.HasSynced() {
					t.Errorf("3 s later they are read: %t, and what is wrong with them is %q", informer.HasSynced(), said)
				}
			})
		})
	}
}
