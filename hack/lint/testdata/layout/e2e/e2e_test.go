package e2e

import "testing"

func TestVet(t *testing.T) {
	t.Errorf("%d", "three") // want govet "wrong type"
}
