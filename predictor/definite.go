package predictor

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// The matrices here are small, and well conditioned by their priors. mat.Cholesky would estimate
// the condition of each, which takes longer than all the rest.

// factorize replaces a positive definite matrix by its Cholesky factor.
func factorize(m *mat.SymDense) (factor blas64.Triangular, logDet float64, ok bool) {
	factor, ok = lapack64.Potrf(m.RawSymmetric())
	for i := range factor.N {
		logDet += 2 * math.Log(factor.Data[i*factor.Stride+i])
	}
	return factor, logDet, ok && !math.IsNaN(logDet) && !math.IsInf(logDet, 0)
}

// invert replaces a positive definite matrix by its inverse.
func invert(m *mat.SymDense) (logDet float64, ok bool) {
	factor, logDet, ok := factorize(m)
	if ok {
		_, ok = lapack64.Potri(factor)
	}
	return logDet, ok
}

// solve replaces side by the solution of m·x = side, and m by its Cholesky factor.
func solve(m *mat.SymDense, side []float64) (ok bool) {
	factor, _, ok := factorize(m)
	if ok {
		lapack64.Potrs(factor, blas64.General{Rows: len(side), Cols: 1, Stride: 1, Data: side})
	}
	return ok
}
