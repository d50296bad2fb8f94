package progress

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"time"
)

// scraper gets metrics from pods. A pod may answer anything: an endless body, one that unpacks to
// gigabytes, a drop a minute, a redirect to somewhere it cannot reach itself.
type scraper struct {
	client *http.Client
	limits Limits
}

func newScraper(limits Limits) *scraper {
	return &scraper{limits: limits, client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		// Without a proxy, since pods are near; and every request on a connection of its own, since
		// the address may belong to another pod by the next one.
		Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: 64 << 10},
	}}
}

// scrape gives the samples of the metrics that are named, and how far the clock of who answers is ahead of ours.
func (s *scraper) scrape(ctx context.Context, from *url.URL, names []string) (all series, ahead time.Duration,
	err error,
) {
	ctx, cancel := s.limits.within(ctx)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from.String(), nil)
	if err != nil {
		return nil, 0, &fault{kind: ErrGarbage, message: "it has no usable address", cause: err}
	}
	request.Header.Set("Accept", "text/plain;version=0.0.4")
	request.Header.Set("User-Agent", "takt-operator")
	began := time.Now()
	response, err := s.client.Do(request)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok { // it repeats the address
			err = wrapped.Err
		}
		return nil, 0, unanswered(err, "%s does not answer", from)
	}
	defer response.Body.Close()
	ahead = aheadBy(response.Header.Get("Date"), began, time.Now())
	if err := plain(response); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", from, err)
	}
	all, err = parseExposition(s.limits.bound(response.Body), names)
	switch {
	case err == nil:
		return all, ahead, nil
	case errors.Is(err, ErrGarbage):
		return nil, 0, fmt.Errorf("%s: %w", from, err)
	}
	return nil, 0, unanswered(err, "%s breaks off its answer", from)
}

// aheadBy is how far a clock is ahead of ours at least, or behind it if that is negative, which has dated an answer, to
// the second, that came between two moments. It is zero if both may be the same, or nothing is dated.
func aheadBy(dated string, began, came time.Time) time.Duration {
	date, err := http.ParseTime(dated)
	switch {
	case err != nil:
		return 0
	case date.After(came):
		return date.Sub(came)
	case date.Add(time.Second).Before(began):
		return date.Add(time.Second).Sub(began)
	}
	return 0
}

// plain fails unless a response is one that can be read.
func plain(response *http.Response) error {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	encoding := response.Header.Get("Content-Encoding")
	switch {
	case response.StatusCode >= 300 && response.StatusCode < 400:
		return fail(ErrGarbage, "it answers with a redirect, which is not followed: give the address itself")
	case response.StatusCode == http.StatusNotFound:
		return fail(ErrMissing, "there is nothing (404): is the path right?")
	case response.StatusCode >= 500:
		return fail(ErrUnreachable, "it answers with status %d", response.StatusCode)
	case response.StatusCode != http.StatusOK:
		return fail(ErrGarbage, "it answers with status %d", response.StatusCode)
	case encoding != "" && encoding != "identity":
		return fail(ErrGarbage, "it answers in encoding %q, for which it was not asked", shortened(encoding))
	case kind == "application/openmetrics-text", kind == "application/vnd.google.protobuf":
		return fail(ErrGarbage, "it answers with %s, but was asked for text/plain;version=0.0.4", kind)
	}
	return nil
}
