package elastic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkPlan plans great clusters: ten GPUs a job, on nodes of eight; jobs that run where they
// are, and jobs that have just come; more deadlines than can be met.
func BenchmarkPlan(b *testing.B) {
	for _, jobs := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			s := busyCluster(jobs)
			if err := s.Check(); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				Plan(s)
			}
			verdicts := map[Verdict]float64{}
			for _, o := range Plan(s).Jobs {
				verdicts[o.Verdict]++
			}
			for _, v := range []Verdict{OnTrack, AtRisk, Infeasible} {
				b.ReportMetric(verdicts[v], string(v))
			}
		})
	}
}

// BenchmarkEvent plans a great cluster that trains as planned, once one deadline has changed.
func BenchmarkEvent(b *testing.B) {
	s := busyCluster(10_000)
	for range 3 {
		s, _ = s.after(Plan(s))
		s.train(60)
	}
	j := &s.Jobs[slices.IndexFunc(s.Jobs, func(j Job) bool { return j.Promised && j.Workers > 0 })]
	later := *j.Deadline + 600
	j.Deadline = &later
	b.ReportAllocs()
	for b.Loop() {
		Plan(s)
	}
}

// BenchmarkSites plans 5,000 jobs on 1,000 nodes, none of which may be on all of them.
func BenchmarkSites(b *testing.B) {
	s := busyCluster(5000)
	s.Nodes = s.Nodes[:1000]
	for zone := range 4 {
		site := Site{Name: fmt.Sprint(zone), Most: map[string]Workers{}}
		for i, n := range s.Nodes {
			if zone == 0 {
				site.Most[n.Name] = 1
			} else if i%3 == zone-1 {
				site.Most[n.Name] = 8
			}
		}
		s.Sites = append(s.Sites, site)
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		j.Site, j.On, j.Workers, j.Reserved, j.Promised = fmt.Sprint(i%4), nil, 0, nil, false
	}
	s, _ = s.after(Plan(s))
	s.Now += 60
	if err := s.Check(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		Plan(s)
	}
}

// BenchmarkScarce plans 5,000 jobs, whose workers take more of the CPUs of a node than their part of its GPUs.
func BenchmarkScarce(b *testing.B) {
	s := busyCluster(5000)
	for i := range s.Nodes {
		s.Nodes[i].Room = map[string]int64{"cpu": 96_000, "memory": 1 << 40}
	}
	for i := range s.Jobs {
		s.Jobs[i].Takes = map[string]int64{"cpu": int64(12_000 + 1000*(i%5)), "memory": 100 << 30}
	}
	if err := s.Check(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		Plan(s)
	}
}

// train lets all jobs train for a while, as fast as they are expected to.
func (s *Snapshot) train(d Seconds) {
	s.Now += d
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if size := slices.IndexFunc(j.Sizes, withWorkers(j.Workers)); size >= 0 {
			trained := max(0, min(d, s.Now-j.BusyUntil))
			j.Left = max(1, j.Left-Work(trained)*Work(j.Sizes[size].Expected))
		}
	}
}

// busyCluster is a cluster in the middle of its day: nine jobs of ten run, most of them as an earlier
// plan has decided.
func busyCluster(jobs int) Snapshot {
	r := rand.New(rand.NewPCG(1, 0))
	s := Snapshot{Now: 1e6}
	for i := range jobs * 10 / 8 {
		s.Nodes = append(s.Nodes, Node{Name: fmt.Sprintf("node-%d", i), GPUs: 8})
	}
	for q := range 8 {
		s.Queues = append(s.Queues, Queue{Name: fmt.Sprintf("queue-%d", q), Guaranteed: GPUs(jobs), Weight: 1 + q%3,
			Priority: q % 2})
	}
	for n := range jobs {
		s.Jobs = append(s.Jobs, busyJob(r, n, s.Now))
	}
	s, _ = s.after(Plan(s))
	// Time goes by, and new jobs come.
	s.Now += 60
	for n := range jobs / 10 {
		j := busyJob(r, n, s.Now)
		j.Name = fmt.Sprintf("new-%d", n)
		s.Jobs[r.IntN(len(s.Jobs))] = j
	}
	return s
}

func busyJob(r *rand.Rand, n int, now Seconds) Job {
	j := Job{
		Name: fmt.Sprintf("job-%d", n), Queue: fmt.Sprintf("queue-%d", r.IntN(8)), Submitted: now,
		Left: Work(3600 * (1 + 10*r.ExpFloat64())), Pause: 30, GPUsPerWorker: []GPUs{1, 1, 8}[r.IntN(3)],
	}
	speed, gain := Speed(0.5+r.Float64()), Speed(1.6+0.4*r.Float64())
	for w := Workers(1); GPUs(w)*j.GPUsPerWorker <= 128; w *= 2 {
		j.Sizes = append(j.Sizes, Size{Workers: w, Speed: speed, Expected: speed * 1.1, Best: speed * 1.2})
		speed *= gain
	}
	if r.IntN(5) > 0 {
		fastest := j.Sizes[len(j.Sizes)-2]
		deadline := now + j.Pause + fastest.train(j.Left)*Seconds(0.8+r.ExpFloat64())
		j.Deadline = &deadline
	}
	return j
}
