package localcluster

import (
	"context"
	"net"
	"os"
	"strings"
	"testing"
)

// A cluster that is down keeps the number of its network, which another may have now: taking down the first once more
// must not cut off the second.
func TestRealNetworkIsReleasedByItsOwnerOnly(t *testing.T) {
	if os.Getenv("TAKT_REAL") == "" {
		t.Skip("it makes links: make e2e-real plays it")
	}
	if os.Geteuid() != 0 {
		t.Skip("it needs root")
	}
	owner, other := t.TempDir(), strings.Repeat("/long", 100)
	n, err := claimNetwork(t.Context(), 0, owner)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.release(context.Background(), owner); err != nil {
			t.Error(err)
		}
	})
	if err := n.release(t.Context(), other); err != nil {
		t.Error(err)
	}
	if _, err := net.InterfaceByName(n.bridge()); err != nil {
		t.Fatalf("the network of one cluster was released by another: %v", err)
	}
	second, err := claimNetwork(t.Context(), n, other)
	if err != nil || second == n {
		t.Errorf("the network %d of another was given once more: %v", second, err)
	}
	again, err := claimNetwork(t.Context(), second, other)
	if err != nil || again != second {
		t.Errorf("a cluster that was killed gets the network %d, and had %d: %v", again, second, err)
	}
	if err := second.release(t.Context(), other); err != nil {
		t.Error(err)
	}
	if _, err := net.InterfaceByName(second.bridge()); err == nil {
		t.Error("a network stays when its owner releases it")
	}
}
