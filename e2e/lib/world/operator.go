package world

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"k8s.io/client-go/rest"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/operator"
	"github.com/takt-dev/takt/operator/settings"
)

// Operate is the Start of Takt's operator as it is.
func Operate(ctx context.Context, config *rest.Config, s settings.Settings) error {
	o, err := operator.New(ctx, config, s, logr.FromContextOrDiscard(ctx))
	if err != nil {
		return err
	}
	return o.Run(ctx)
}

// running is one run of the operator.
type running struct {
	stop  context.CancelFunc
	wire  *wire
	ended chan error
}

// StartOperator starts the operator, as at the beginning, or after it was stopped or has crashed.
func (w *World) StartOperator() {
	w.t.Helper()
	w.startOperator(-1)
}

// StartOperatorThatCrashes starts one that is cut off from the cluster after so many writes, as if
// its process had died between two of them. Await it with OperatorCrashed.
func (w *World) StartOperatorThatCrashes(afterWrites int) {
	w.t.Helper()
	w.startOperator(afterWrites)
}

func (w *World) startOperator(writes int) {
	w.t.Helper()
	if w.operator != nil {
		w.t.Fatal("the operator runs already")
	}
	s := Settings(w.Namespace)
	if w.options.Settings != nil {
		w.options.Settings(&s)
	}
	ctx, stop := context.WithCancel(logr.NewContext(cluster.AfterTest(w.t), w.logs.logger()))
	o := &running{stop: stop, wire: &wire{left: writes, limited: writes >= 0, onCut: stop}, ended: make(chan error, 1)}
	config := rest.CopyConfig(w.config)
	config.QPS, config.Burst = s.API.QPS, s.API.Burst
	config.UserAgent = "takt-operator"
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &wired{o.wire, next} })
	w.operator = o
	go func() {
		err := w.options.Start(ctx, config, s)
		if ctx.Err() == nil && o.wire.intact() {
			w.t.Errorf("the operator has ended by itself, with error %v", err)
		}
		o.ended <- err
	}()
}

// StopOperator lets the operator come to its end, and waits for it. It does nothing if none runs.
func (w *World) StopOperator() {
	w.t.Helper()
	if w.operator == nil {
		return
	}
	o := w.operator
	w.operator = nil
	cut := !o.wire.intact()
	o.stop()
	if err := <-o.ended; err != nil && !cut && !errors.Is(err, context.Canceled) {
		w.t.Errorf("the operator ended with an error: %v", err)
	}
}

// KillOperator cuts the operator off from the cluster in the middle of whatever it does.
func (w *World) KillOperator() {
	w.t.Helper()
	if w.operator != nil {
		w.operator.wire.cut()
		w.StopOperator()
	}
}

// OperatorCrashed says whether an operator that was to crash has done so.
func (w *World) OperatorCrashed() bool {
	return w.operator != nil && !w.operator.wire.intact()
}

// wire is the operator's connection to the cluster. Once it is cut nothing passes.
type wire struct {
	mutex   sync.Mutex
	limited bool
	left    int // writes, if limited
	broken  bool
	onCut   func()
}

var errCut = errors.New("the test has cut the connection")

// pass says whether a request may pass, and counts it.
func (w *wire) pass(request *http.Request) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.broken {
		return false
	}
	writes := request.Method != http.MethodGet && request.Method != http.MethodHead &&
		!strings.Contains(request.URL.Path, "/leases") && !strings.Contains(request.URL.Path, "/events")
	if w.limited && writes {
		if w.left == 0 {
			w.broken = true
			w.onCut()
			return false
		}
		w.left--
	}
	return true
}

func (w *wire) cut() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.broken = true
}

func (w *wire) intact() bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return !w.broken
}

type wired struct {
	wire *wire
	next http.RoundTripper
}

// RoundTrip refuses what comes after the cut.
func (w *wired) RoundTrip(request *http.Request) (*http.Response, error) {
	if !w.wire.pass(request) {
		return nil, errCut
	}
	return w.next.RoundTrip(request)
}

// logs keeps what was logged last. Of lines in a row that say the same it keeps the last one, and of the start of the
// controllers nothing.
type logs struct {
	mutex sync.Mutex
	lines []string
	said  string // by the last line, whenever it was
}

const keptLines = 150

func (l *logs) add(line string) {
	_, said, _ := strings.Cut(line, `"level"=`)
	if strings.Contains(said, `"msg"="Starting `) {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if said == l.said && len(l.lines) > 0 {
		l.lines = l.lines[:len(l.lines)-1]
	}
	l.said = said
	l.lines = append(l.lines, line)
	if over := len(l.lines) - keptLines; over > 0 {
		l.lines = append([]string(nil), l.lines[over:]...)
	}
}

func (l *logs) logger() logr.Logger {
	return funcr.New(func(prefix, arguments string) {
		l.add(strings.TrimSpace(prefix + " " + arguments))
	}, funcr.Options{Verbosity: 2, LogTimestamp: true, TimestampFormat: "15:04:05.000"})
}

// String is what was logged last.
func (l *logs) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return strings.Join(l.lines, "\n")
}
