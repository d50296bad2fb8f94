package elastic

// Outside is what pods outside of Takt's care have of a pool, and wait for, and what its owner allows them.
type Outside struct {
	Pool    string
	Waits   GPUs  // for so many
	Pods    []Pod // of those that wait, they for which it matters on which nodes
	Has     GPUs  // so many
	Most    *GPUs // that jobs give back for them at a time; absent: as many as they wait for
	Reserve GPUs  // that they have in any case, in use or free
	// OverGuarantees has queues give back what they are guaranteed, and use or ask for.
	OverGuarantees bool
}

// Leaves is how many GPUs the jobs of a snapshot leave to pods outside of Takt's care: what these wait for, up to a
// bound, and not what is guaranteed to queues that use it or ask for it; and as many as they are to have in any case.
func (s Snapshot) Leaves(to Outside) Demand {
	s = s.ungrown()
	gpus := to.Waits
	if to.Most != nil {
		gpus = min(gpus, *to.Most)
	}
	if !to.OverGuarantees {
		gpus = min(gpus, max(0, s.gpus(to.Pool)-s.secured(to.Pool)))
	}
	gpus, pods := wholly(to, max(gpus, 0))
	return Demand{Pool: to.Pool, GPUs: max(gpus, to.Reserve-to.Has), Pods: pods}
}

// wholly is how many GPUs do for whole pods, of as many as there are for them, and for which: a part of what one takes
// is of no use.
func wholly(to Outside, gpus GPUs) (used GPUs, pods []Pod) {
	others := to.Waits
	for _, pod := range to.Pods {
		if others -= pod.GPUs; used+pod.GPUs <= gpus {
			used += pod.GPUs
			pods = append(pods, pod)
		}
	}
	return used + min(gpus-used, max(others, 0)), pods
}

// gpus are those of a pool that jobs may have.
func (s Snapshot) gpus(pool string) (gpus GPUs) {
	for _, n := range s.Nodes {
		if n.Pool == pool {
			gpus += n.GPUs
		}
	}
	return gpus
}

// secured is how much of a pool queues are guaranteed and have jobs for, at their greatest sizes.
func (s Snapshot) secured(pool string) (gpus GPUs) {
	asks := map[string]GPUs{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if n := len(j.Sizes); j.Pool == pool && n > 0 {
			asks[j.Queue] += j.GPUs(max(j.Sizes[n-1].Workers, j.Workers))
		}
	}
	for _, q := range s.Queues {
		if q.Pool == pool {
			gpus += min(q.Guaranteed, asks[q.Name])
		}
	}
	return gpus
}
