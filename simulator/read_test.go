package simulator

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/simulator/table"
)

const (
	clusterHeader = "job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration\n"
	smallHeader   = "job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration\n"
	speedsHeader  = "global_batch_size,1,2,4\n"
)

func TestReadTrace(t *testing.T) {
	good := Job{ID: "a", Model: "bert", Batch: 64, Submit: 10, Deadline: 110, Work: 500, GPUs: 4, Duration: 90}
	before := func(id string, priority int) Job {
		job := good
		job.ID, job.Priority = id, priority
		return job
	}
	cases := map[string]struct {
		text    string
		want    []Job
		wantBad []table.BadRow
	}{
		"format of the clusters": {clusterHeader + "a,10,500,bert,110,64,4,90\n", []Job{good}, nil},
		"format of the 195 jobs": {smallHeader + "a,10,500,bert,110,64,4,90\n", []Job{good}, nil},
		"columns in another order": {"duration,num_gpu,batch_size,ddl,model_name,iteration,submit_time,job_id,note\n" +
			"90,4,64,110,bert,500,10,a,x\n", []Job{good}, nil},
		"one after the other": {
			strings.TrimSuffix(clusterHeader, "\n") + ",after\na,10,500,bert,110,64,4,90,\nb,10,500,bert,110,64,4,90,a\n",
			[]Job{good, func() Job { b := good; b.ID, b.After = "b", []string{"a"}; return b }()}, nil,
		},
		"no number": {
			clusterHeader + "a,10,500,bert,110,64,4,90\nb,soon,500,bert,110,64,4,90\n", []Job{good},
			[]table.BadRow{{Line: 3, Reason: `submission_time is "soon": it must be a number`}},
		},
		"no finite number": {clusterHeader + "b,10,NaN,bert,110,64,4,90\n", nil,
			[]table.BadRow{{Line: 2, Reason: `num_iteration is "NaN": it must be a number`}}},
		"negative work": {clusterHeader + "b,10,-1,bert,110,64,4,90\n", nil,
			[]table.BadRow{{Line: 2, Reason: "num_iteration is -1: it must be 0 or more"}}},
		"beyond all time": {clusterHeader + "b,1e300,1,bert,110,64,4,90\n", nil,
			[]table.BadRow{{Line: 2, Reason: "submission_time is 1e+300: it must be 1e+12 or less"}}},
		"no work": {clusterHeader + "b,10,0,bert,110,64,4,90\n", nil,
			[]table.BadRow{{Line: 2, Reason: "num_iteration is 0: a job without work is none"}}},
		"the same job twice": {
			clusterHeader + "a,10,500,bert,110,64,4,90\na,20,500,bert,120,64,4,90\n", []Job{good},
			[]table.BadRow{{Line: 3, Reason: `the job_id "a" is there twice`}},
		},
		"half a GPU": {clusterHeader + "b,10,1,bert,110,64,1.5,90\n", nil,
			[]table.BadRow{{Line: 2, Reason: "num_gpu is 1.5: it must be a whole number"}}},
		"no model": {clusterHeader + "b,10,1,,110,64,1,90\n", nil,
			[]table.BadRow{{Line: 2, Reason: "job_id and model_name must not be empty"}}},
		"a priority": {
			strings.TrimSuffix(clusterHeader, "\n") + ",priority\na,10,500,bert,110,64,4,90,\nb,10,500,bert,110,64,4,90,-7\n",
			[]Job{good, before("b", -7)}, nil,
		},
		"half a priority": {
			strings.TrimSuffix(clusterHeader, "\n") + ",priority\nb,10,500,bert,110,64,4,90,1.5\n", nil,
			[]table.BadRow{{Line: 2, Reason: "priority is 1.5: it must be a whole number from -1000 to 1000"}},
		},
		"too short": {clusterHeader + "b,10\na,10,500,bert,110,64,4,90\n", []Job{good},
			[]table.BadRow{{Line: 2, Reason: "it has 2 fields, and the header 8"}}},
		"deadline before submission": {
			clusterHeader + "a,10,500,bert,-5,64,4,90\n",
			[]Job{{ID: "a", Model: "bert", Batch: 64, Submit: 10, Deadline: -5, Work: 500, GPUs: 4, Duration: 90}}, nil,
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			jobs, bad, err := ReadTrace(strings.NewReader(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, jobs); diff != "" {
				t.Errorf("jobs: -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(test.wantBad, bad); diff != "" {
				t.Errorf("bad rows: -want +got:\n%s", diff)
			}
		})
	}
}

func TestReadSpeeds(t *testing.T) {
	text := speedsHeader + "64,6.5,8,\n128,nan,0,9\n,1,2,3\n256,,,\n64,1,2,3\n512,1,-2,3\n"
	speeds, bad, err := ReadSpeeds(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[int]Speeds{64: {1: 6.5, 2: 8}, 128: {4: 9}}, speeds); diff != "" {
		t.Errorf("speeds: -want +got:\n%s", diff)
	}
	want := []table.BadRow{
		{Line: 4, Reason: `global_batch_size is "": it must be a number`},
		{Line: 5, Reason: "nothing was measured in this row"},
		{Line: 6, Reason: "the batch size 64 is there twice"}, {Line: 7, Reason: "2 is -2: it must be 0 or more"},
	}
	if diff := cmp.Diff(want, bad); diff != "" {
		t.Errorf("bad rows: -want +got:\n%s", diff)
	}
}

func TestFilesOfNoKnownFormatAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"empty":           {"", "the file has no header line"},
		"a table of what": {"a,b\n1,2\n", "the header is of no known trace: for one format it lacks job_id, model_name"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := ReadTrace(strings.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("ReadTrace says %v, want %q", err, test.want)
			}
			if _, _, err := ReadSpeeds(strings.NewReader(test.text)); err == nil {
				t.Error("ReadSpeeds takes it")
			}
		})
	}
}

// Whatever a file holds, the jobs that are read make sense.
func FuzzReadTrace(f *testing.F) {
	f.Add(clusterHeader + "a,10,500,bert,110,64,4,90\n")
	f.Add(smallHeader + "a,1e308,\"5\n00\",bert,110,64,4,90\nb,,,\n")
	f.Fuzz(func(t *testing.T, text string) {
		jobs, _, err := ReadTrace(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, job := range jobs {
			if job.ID == "" || job.Batch < 1 || job.GPUs < 1 || job.Work <= 0 || job.Submit < 0 ||
				math.IsNaN(float64(job.Deadline+job.Duration)) {
				t.Errorf("this was read as a job: %+v", job)
			}
		}
	})
}
