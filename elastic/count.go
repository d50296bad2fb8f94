package elastic

import "fmt"

// CountOf writes a number with its noun as people do: 1 new pod, 2 new pods.
func CountOf[N ~int | ~int32 | ~int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Count writes a number of workers as people do: no workers, 1 worker, 2 workers.
func Count(w Workers) string {
	if w == 0 {
		return "no workers"
	}
	return CountOf(w, "worker")
}

// CountGPUs writes a number of GPUs as people do: 1 GPU, 2 GPUs.
func CountGPUs(g GPUs) string { return CountOf(g, "GPU") }
