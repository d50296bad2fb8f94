package localcluster

import (
	"maps"
	"testing"
)

// Two clusters that start at the same time have no port in common, and one that comes back has its own again.
func TestClustersThatStartAtTheSameTimeDrawDifferentPorts(t *testing.T) {
	names := portNames()
	drawn := map[int]string{}
	for range 40 {
		ports, claim, err := claimPorts(nil, names)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = claim.Close() })
		for name, port := range ports {
			if other, twice := drawn[port]; twice {
				t.Errorf("port %d is drawn for %s and for %s", port, other, name)
			}
			drawn[port] = name
		}
		if len(ports) != len(names) {
			t.Errorf("%d ports are drawn for %d names", len(ports), len(names))
		}
	}
}

func TestAClusterKeepsItsPortsUnlessOneIsTaken(t *testing.T) {
	names := portNames()
	before, claim, err := claimPorts(nil, names)
	if err != nil {
		t.Fatal(err)
	}
	if during, other, err := claimPorts(before, names); err != nil || maps.Equal(during, before) {
		t.Errorf("two clusters have %v (%v)", before, err)
	} else {
		_ = other.Close()
	}
	_ = claim.Close()
	again, claim, err := claimPorts(before, names)
	if err != nil || !maps.Equal(again, before) {
		t.Fatalf("it had %v and has %v (%v)", before, again, err)
	}
	_ = claim.Close()
	taken, err := listen(before[names[3]])
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	now, claim, err := claimPorts(before, names)
	if err != nil || now[names[3]] == before[names[3]] {
		t.Fatalf("it has a port that is taken: %v (%v)", now, err)
	}
	_ = claim.Close()
}
