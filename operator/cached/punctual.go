package cached

import (
	"context"
	"slices"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ClientOptions have reads wait until the cache has what this process has written: else a step is taken
// twice, and the second time refused as a conflict.
func ClientOptions() client.Options {
	return client.Options{Cache: &client.CacheOptions{EnableReadYourWritesConsistency: new(true)}}
}

// caughtUpWithin bounds how long a read waits so. What it waits for comes within milliseconds, or not before
// a broken watch is made anew, which takes a minute and is not this read's to await.
const caughtUpWithin = 30 * time.Second

// Punctual is a client whose reads do not wait for ever for the cache.
type Punctual struct {
	client.Client
	Indexes *Indexes // nil for one without a cache
}

// Get reads an object.
func (p Punctual) Get(ctx context.Context, key client.ObjectKey, into client.Object,
	options ...client.GetOption) error {
	ctx, cancel := context.WithTimeout(ctx, caughtUpWithin)
	defer cancel()
	return p.Client.Get(ctx, key, into, options...)
}

// List reads all objects that there are of a kind. One that is AtOnce waits for nothing.
func (p Punctual) List(ctx context.Context, into client.ObjectList, options ...client.ListOption) error {
	if slices.Contains(options, client.ListOption(AtOnce)) {
		if p.Indexes.list(ctx, into, options) {
			return nil
		}
		return p.Client.List(ctx, into, options...)
	}
	ctx, cancel := context.WithTimeout(ctx, caughtUpWithin)
	defer cancel()
	return p.Client.List(ctx, into, options...)
}

// AtOnce has a list not wait so. It would wait for whatever is written of its kind at the time, and a
// plan lists thousands of times while hundreds of statuses are written. Who needs to see what was
// written of one object gets that object first.
const AtOnce = client.DisableReadYourWritesConsistency
