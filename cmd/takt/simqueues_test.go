package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/takt-dev/takt/simulator"
)

// twoTeams is a trace in which research comes first with all that it has, and prod a moment later.
func twoTeams(t *testing.T) (trace, speeds string) {
	t.Helper()
	return folder(t, map[string]string{
		"jobs.csv": "job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration,queue\n" +
			"r1,0,3600,m,4000,64,1,3600,research\nr2,0,3600,m,4000,64,1,3600,research\n" +
			"p1,10,3600,m,4000,64,1,3600,prod\np2,10,3600,m,,64,1,3600,prod\n",
		"speeds/m.csv": "global_batch_size,1\n64,1\n",
	})
}

const prodIsSure = `apiVersion: takt.dev/v1alpha1
kind: TrainingQueue
metadata: {name: prod}
spec: {guaranteed: 1, jobs: {deadlineAfter: 3h}}
---
apiVersion: takt.dev/v1alpha1
kind: TrainingQueue
metadata: {name: research}
spec: {weight: 2}
`

func queuesFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "queues.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSimReplaysATraceWithOtherQueues(t *testing.T) {
	trace, speeds := twoTeams(t)
	ofQueue := func(more ...string) map[string]map[string]any {
		of := map[string]map[string]any{}
		results := simulate(t, trace, speeds, append(more, "--gpus", "2", "--resize-cost", "0s")...)
		for _, share := range results[0]["queues"].([]any) {
			share := share.(map[string]any)
			of[share["queue"].(string)] = share
		}
		return of
	}
	alike := ofQueue()
	if alike["research"]["met"] != 2.0 || alike["prod"]["met"] != 0.0 || alike["prod"]["jobs"] != 1.0 {
		t.Errorf("without queues research comes first and has both GPUs: %v", alike)
	}
	shared := ofQueue("--queues", queuesFile(t, prodIsSure))
	if shared["research"]["met"] != 1.0 || shared["prod"]["met"] != 2.0 {
		t.Errorf("prod is guaranteed one of the GPUs: %v", shared)
	}
	if prod := shared["prod"]; prod["jobs"] != 2.0 || prod["allJobs"] != 2.0 {
		t.Errorf("its queue gives a deadline to the job of prod that has none: %v", prod)
	}
}

func TestSimTellsOfEachQueue(t *testing.T) {
	trace, speeds := twoTeams(t)
	got := call(t, "", "sim", "--trace", trace, "--throughputs", speeds, "--gpus", "2,4", "--resize-cost", "0s",
		"--queues", queuesFile(t, prodIsSure), "--price", "2")
	for _, want := range []string{
		"Queues queues.yaml",
		"QUEUE     POLICY  GPUS  jobs  deadline  MET  dated  promised  late  declined",
		"prod      takt       2     2         2    2  100.0 ",
		"research  takt       4     2         2    2  100.0 ",
		"of the policies takt alone knows what each is guaranteed",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("it says\n%s\nand not\n%s", got.stdout, want)
		}
	}
}

func TestSimComplainsOfQueuesThatAreMissing(t *testing.T) {
	trace, speeds := twoTeams(t)
	file := queuesFile(t, strings.Split(prodIsSure, "---\n")[0])
	args := []string{"sim", "--trace", trace, "--throughputs", speeds, "--gpus", "2", "--queues", file}
	want := "takt: " + trace + `: 2 jobs of queue "research", which is not in ` + file +
		": the operator would not start what is of it, and here it is guaranteed nothing\n"
	if got := call(t, "", args...); got.stderr != want || got.code != exitDone {
		t.Errorf("it ends with %d, and complains\n%s\nand not\n%s", got.code, got.stderr, want)
	}
	if got := call(t, "", append(args, "--strict")...); got.code == exitDone {
		t.Error("with --strict it goes on")
	}
	args[len(args)-1] = trace
	if got := call(t, "", args...); got.code == exitDone || !strings.Contains(got.stderr, "jobs.csv: ") {
		t.Errorf("of a file without queues it says %s", got.stderr)
	}
}

// What a queue gave a job is replaced by what it gives now, what the job said itself stays, and what has failed is
// given no deadline that it would meet with less work.
func TestJobsAreServedAsTheirQueuesSay(t *testing.T) {
	trace, _ := folder(t, map[string]string{
		"jobs.csv": "job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration,queue,deadline_by,after\n" +
			"own,0,60,m,500,1,1,60,prod,,\ngiven,10,60,m,500,1,1,60,prod,queue,\nnone,10,60,m,,1,1,60,prod,,\n" +
			"failed,10,60,m,,1,1,60,prod,nobody,\nfirst,10,60,m,,1,1,60,prod,,\nlast,10,60,m,700,1,1,60,other,queue,first\n",
	})
	w := workload{}
	var wrong complaints
	var err error
	if w.jobs, err = readJobs(trace, &wrong); err != nil || len(wrong) > 0 {
		t.Fatal(err, wrong)
	}
	file := queuesFile(t, "apiVersion: takt.dev/v1alpha1\nkind: TrainingQueue\nmetadata: {name: prod}\n"+
		"spec: {jobs: {guarantee: Promise, deadlineAfter: 100s, maxWait: 50s}}\n---\n"+
		"apiVersion: takt.dev/v1alpha1\nkind: TrainingQueue\nmetadata: {name: other}\n")
	if err := w.readQueues(file, trace, &wrong); err != nil || len(wrong) > 0 {
		t.Fatal(err, wrong)
	}
	w.serve()
	never := simulator.Never
	for i, want := range []simulator.Seconds{500, 110, 110, never, never, never} {
		job := w.jobs[i]
		if job.Deadline != want {
			t.Errorf("the deadline of %s is %v, want %v", job.ID, job.Deadline, want)
		}
		if ofProd := job.Queue == "prod"; job.OnlyPromised != ofProd || (job.MaxWait == 50) != ofProd {
			t.Errorf("%s is served as %+v", job.ID, job)
		}
	}
}

// Without a file that says what queues have, no priority puts a job before those of another queue.
func TestPrioritiesCountWithinAQueue(t *testing.T) {
	for queue, want := range map[string]int{"prod": 7, "other": 0} {
		w := workload{jobs: []simulator.Job{{Queue: "prod", Priority: 7}, {Queue: queue}}}
		if err := w.readQueues("", "", nil); err != nil || w.jobs[0].Priority != want {
			t.Errorf("beside a job of %s the priority is %d, want %d", queue, w.jobs[0].Priority, want)
		}
	}
}
