package operator

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

// write is one request of the operator that changes something.
type write struct {
	at     time.Time // when it was sent
	method string
	what   string // resizes, elasticjobs/status, pytorchjobs, …
	name   string
	status int // what was answered, at done
	done   time.Time
}

// wire sees all that the operator writes.
type wire struct {
	mutex  sync.Mutex
	writes []write
}

// start runs an operator whose writes are seen.
func (w *wire) start(change ...func(*settings.Settings)) world.Start {
	return func(ctx context.Context, config *rest.Config, s settings.Settings) error {
		for _, c := range change {
			c(&s)
		}
		config = rest.CopyConfig(config)
		config.Wrap(func(next http.RoundTripper) http.RoundTripper { return tapped{w, next} })
		return world.Operate(ctx, config, s)
	}
}

// between are the writes of a time.
func (w *wire) between(from, to time.Time) []write {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	var some []write
	for _, each := range w.writes {
		if !each.at.Before(from) && each.at.Before(to) {
			some = append(some, each)
		}
	}
	return some
}

type tapped struct {
	wire *wire
	next http.RoundTripper
}

// RoundTrip takes down what is written.
func (t tapped) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodGet {
		return t.next.RoundTrip(request)
	}
	w := written(request)
	response, err := t.next.RoundTrip(request)
	if err == nil {
		w.status = response.StatusCode
	}
	w.done = time.Now()
	t.wire.mutex.Lock()
	t.wire.writes = append(t.wire.writes, w)
	t.wire.mutex.Unlock()
	return response, err
}

// written reads the path of a request, such as /apis/takt.dev/v1alpha1/namespaces/NS/resizes/NAME/status.
func written(request *http.Request) write {
	w := write{at: time.Now(), method: request.Method}
	path := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
	if path[0] == "api" {
		path = path[2:]
	} else {
		path = path[min(3, len(path)):]
	}
	if len(path) > 2 && path[0] == "namespaces" {
		path = path[2:]
	}
	for i, part := range path {
		switch i {
		case 0:
			w.what = part
		case 1:
			w.name = part
		default:
			w.what += "/" + part
		}
	}
	if request.Method == http.MethodPost && w.name == "" {
		w.name = named(request)
	}
	return w
}

// named is the name in what is to be created, as far as it is JSON.
func named(request *http.Request) string {
	if request.GetBody == nil {
		return ""
	}
	body, err := request.GetBody()
	if err != nil {
		return ""
	}
	defer body.Close()
	var object metav1.PartialObjectMetadata
	if json.NewDecoder(body).Decode(&object) != nil {
		return ""
	}
	return object.Name
}
