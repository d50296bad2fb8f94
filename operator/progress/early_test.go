package progress

import (
	"slices"
	"testing"
)

// A pod runs for a moment before its address is known. What its endpoints tell is asked for once it is, however well
// the log tells meanwhile how far the job is.
func TestAnEndpointIsAskedOnceTheWorkerHasAnAddress(t *testing.T) {
	reader, sources, asked := stage()
	sources[logs].answer, sources[logs].err = Sample{Done: 1, Total: 100, Unit: "steps"}, nil
	pod := worker("worker-0")
	pod.Status.PodIP = ""
	read := func(done float64) []string {
		sources[logs].answer.Done = done
		*asked = nil
		if _, err := reader.Read(t.Context(), resnet(pod), sixOClock.Add(ten)); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, name := range *asked {
			names = append(names, string(name))
		}
		return names
	}
	read(1)
	pod.Status.PodIP = "127.0.0.1"
	if got := read(2); !slices.Contains(got, string(prom)) {
		t.Errorf("with an address, asked are only %v", got)
	}
	if got := read(3); slices.Contains(got, string(prom)) {
		t.Errorf("it has told nothing, and is asked again: %v", got)
	}
}
