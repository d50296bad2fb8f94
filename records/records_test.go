package records

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// record is one of a job that ended so many minutes after noon.
func record(uid string, minutes int) Record {
	return Record{
		UID: uid, Namespace: "team-a", Name: "resnet-" + uid, Kind: "PyTorchJob", Queue: "research", GPUType: "A100",
		Submitted: noon, Ended: noon.Add(time.Duration(minutes) * time.Minute), Deadline: noon.Add(time.Hour),
		Outcome:       Succeeded,
		GPUsPerWorker: 1, Written: 2, Least: 1, Most: 4, Work: 1000, Unit: "steps",
		Speeds: []Speed{{2, .3, true}, {4, 1. / 3, false}}, Trained: []Spell{{2, 3600}},
	}
}

func uids(all []Record) (out []string) {
	for _, r := range all {
		out = append(out, r.UID)
	}
	return out
}

func TestWhatIsWrittenDownIsReadAgain(t *testing.T) {
	all := []Record{record("a", 1), record("b", 2)}
	text, err := Encode(all)
	if err != nil {
		t.Fatal(err)
	}
	got, bad := Decode(text)
	if diff := cmp.Diff(all, got); diff != "" || bad != 0 {
		t.Errorf("%d are bad, -want +got:\n%s", bad, diff)
	}
}

func TestWhatIsGarbledCostsNoMoreThanItself(t *testing.T) {
	whole, err := Encode([]Record{record("a", 1), {}, record("b", 2)})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		text []byte
		want []string
		bad  int
	}{
		"nothing":           {nil, nil, 0},
		"one of no job":     {whole, []string{"a", "b"}, 1},
		"no archive at all": {[]byte("hello"), nil, 1},
		"broken off":        {whole[:12], nil, 1},
	} {
		got, bad := Decode(test.text)
		if diff := cmp.Diff(test.want, uids(got)); diff != "" || bad != test.bad {
			t.Errorf("%s: %d are bad, -want +got:\n%s", name, bad, diff)
		}
	}
}

func TestMerge(t *testing.T) {
	a, b, c := record("a", 1), record("b", 2), record("c", 3)
	other := record("b", 2)
	other.Work = 1
	three := Limits{Count: 3, Bytes: 1 << 20}
	for name, test := range map[string]struct {
		kept, more []Record
		limits     Limits
		want       []string
		written    bool
	}{
		"the first":               {nil, []Record{a}, three, []string{"a"}, true},
		"in the order of ends":    {[]Record{c}, []Record{b, a}, three, []string{"a", "b", "c"}, true},
		"told again":              {[]Record{a, b}, []Record{other}, three, []string{"a", "b"}, false},
		"told twice at once":      {nil, []Record{a, a}, three, []string{"a"}, true},
		"no room for the oldest":  {[]Record{a, b, c}, []Record{record("d", 4)}, three, []string{"b", "c", "d"}, true},
		"older than all, no room": {[]Record{b, c}, []Record{a}, Limits{2, 1 << 20}, []string{"b", "c"}, false},
		"fewer than before":       {[]Record{a, b, c}, nil, Limits{1, 1 << 20}, []string{"c"}, true},
		"of no job":               {nil, []Record{{}}, three, nil, false},
	} {
		all, text, err := Merge(test.kept, test.more, test.limits)
		if diff := cmp.Diff(test.want, uids(all)); diff != "" || err != nil || (text != nil) != test.written {
			t.Errorf("%s: written: %v, %v, -want +got:\n%s", name, text != nil, err, diff)
		}
	}
}

// A tenant can write long names and many sizes, and end as many jobs as it likes.
func TestBytesAreBounded(t *testing.T) {
	var more []Record
	for i := range 100 {
		r := record(fmt.Sprintf("uid-%d", i), i)
		for _, text := range []*string{&r.Profile, &r.Unit, &r.Queue} {
			*text = strings.Repeat(fmt.Sprintf("%d\u20ac", i), 1_000)
		}
		r.Speeds, r.Trained = nil, nil
		for size := range 1000 {
			r.Speeds = append(r.Speeds, Speed{size + 1, 1 / float64(size+i+1), size == 500})
			r.Trained = append(r.Trained, Spell{size + 1, float64(i)})
		}
		more = append(more, r)
	}
	all, text, err := Merge(nil, more, Limits{Count: 1000, Bytes: 20_000})
	if err != nil || len(text) > 20_000 || len(all) < 20 || all[len(all)-1].UID != "uid-99" {
		t.Fatalf("%d are kept in %d bytes, %v", len(all), len(text), err)
	}
	got, bad := Decode(text)
	if diff := cmp.Diff(all, got); diff != "" || bad != 0 {
		t.Errorf("%d are bad, -want +got:\n%s", bad, diff)
	}
	last := got[len(got)-1]
	line, _ := Encode([]Record{last})
	sizes := last.Speeds
	if len(sizes) != mostSizes || sizes[0].Workers != 1 || sizes[mostSizes-1].Workers != 1000 || !last.Measured() {
		t.Errorf("it keeps these sizes: %v", sizes)
	}
	if bytes.Contains(line, []byte{0xff, 0xfd}) || len(last.Profile) > longestText {
		t.Errorf("it keeps a profile of %d bytes", len(last.Profile))
	}
}

func TestGPUHours(t *testing.T) {
	r := Record{GPUsPerWorker: 8, Trained: []Spell{{2, 1800}, {4, 900}}}
	if got := r.GPUHours(); got != 16 {
		t.Errorf("it has %v, want 16", got)
	}
	if r.Leaders = 1; r.GPUHours() != 10 {
		t.Errorf("led by a worker without GPUs it has %v, want 10", r.GPUHours())
	}
}
