package predictor

import (
	"fmt"
	"math"
)

// Shape is one way to run a job.
type Shape struct {
	Workers Workers `json:"workers"`
	// Nodes is the number of nodes that hold the workers, from 1 to Workers.
	Nodes int `json:"nodes"`
	// Batch is what one worker does in one step, in units of Work. Zero stands for 1: the batch
	// per worker is not known and stays the same at every size. A job that keeps its global
	// batch B has Batch B/Workers.
	Batch float64 `json:"batch,omitempty"`
	// Servers is the number of parameter servers; zero stands for 1.
	Servers int `json:"servers,omitempty"`
	// GPU is the type of the GPUs. Speeds of different types differ by a factor that is learned.
	GPU string `json:"gpu,omitempty"`
}

// Bounds of what a shape may be: far above what exists, low enough that nothing overflows.
const (
	maxWorkers = 1 << 20
	maxBatch   = 1e12
	maxGPUName = 128
)

// normal is the shape with its defaults filled in, or why it is none.
func (s Shape) normal() (Shape, error) {
	if s.Batch == 0 {
		s.Batch = 1
	}
	if s.Servers == 0 {
		s.Servers = 1
	}
	switch {
	case s.Workers < 1 || s.Workers > maxWorkers:
		return s, &ShapeError{s, "the number of workers must be 1 or more"}
	case s.Nodes < 1 || s.Nodes > int(s.Workers):
		return s, &ShapeError{s, "the number of nodes must be from 1 to the number of workers"}
	case !(s.Batch >= 1/maxBatch && s.Batch <= maxBatch):
		return s, &ShapeError{s, "the batch must be positive and finite"}
	case s.Servers < 1 || s.Servers > maxWorkers:
		return s, &ShapeError{s, "the number of servers must be 1 or more"}
	case len(s.GPU) > maxGPUName:
		return s, &ShapeError{s, fmt.Sprintf("the name of the GPU must not be longer than %d", maxGPUName)}
	}
	return s, nil
}

// work is what one step does.
func (s Shape) work() float64 { return float64(s.Workers) * s.Batch }

// features are the logarithms by which shapes are near to each other or far.
type features struct {
	shape                 Shape
	workers, nodes, batch float64 // natural logarithms
}

func (s Shape) features() features {
	return features{s, math.Log(float64(s.Workers)), math.Log(float64(s.Nodes)), math.Log(s.Batch)}
}
