package printed

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// sinks are outputs of thousands of lines.
func sinks() map[string][]byte {
	const n = 1000
	repeat := func(line func(i int) string) []byte {
		var text bytes.Buffer
		for i := range n {
			text.WriteString(line(i))
		}
		return text.Bytes()
	}
	noise := rand.New(rand.NewPCG(1, 2))
	return map[string][]byte{
		"prose": repeat(func(int) string {
			return "INFO: the quick brown fox jumps over the lazy dog, and nobody counts how often it does so\n"
		}),
		"numbers": repeat(func(i int) string {
			return fmt.Sprintf("2026-11-24 12:00:00,123 - INFO - loss 0.%d lr 1e-4 throughput %d.2 img/s mem 3.1G\n", i, i)
		}),
		"step": repeat(func(i int) string { return fmt.Sprintf("step %d/1000 loss=0.42 lr=0.001\n", i) }),
		"bar":  repeat(func(i int) string { return "\r" + bar("Training: ", i, n) }),
		"torchvision": repeat(func(i int) string {
			return fmt.Sprintf("Epoch: [3]  [ %3d/1251]  eta: 0:01:23  lr: 0.1  img/s: 450  loss: 2.1 (2.2)  time: 0.12\n", i)
		}),
		"dict": repeat(func(i int) string {
			return fmt.Sprintf("{'loss': 1.2, 'grad_norm': 0.5, 'learning_rate': 5e-05, 'epoch': %g}\n", float64(i)/n)
		}),
		"JSON":   repeat(func(i int) string { return fmt.Sprintf(`{"step": %d, "total_steps": 1000, "loss": 0.3}`+"\n", i) }),
		"binary": repeat(func(int) string { return string(fill(noise, 100)) }),
		"long":   bytes.Repeat([]byte("step 3 epoch 3 iter 3 checkpoint 45%| [3/4] {"), 10*n),
		"hostile": repeat(func(int) string {
			return strings.Repeat("epoch: [", 200) + strings.Repeat("checkpoint saved not ", 50) +
				strings.Repeat("step 1", 100) + "=1\n"
		}),
	}
}

func fill(from *rand.Rand, length int) []byte {
	text := make([]byte, length)
	for i := range text {
		text[i] = byte(from.Uint32())
	}
	return text
}

// BenchmarkLine is the time of a line of output.
func BenchmarkLine(b *testing.B) {
	for name, text := range sinks() {
		lines := max(1, bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte("\r")))
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var r Reader
			rounds := 0
			for b.Loop() {
				r.Write(text, noon)
				rounds++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rounds*lines), "ns/line")
		})
	}
}
