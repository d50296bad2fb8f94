// Package pollux is the plain form of Pollux, fitted with its published priors and nothing else.
// It is what the predictor is compared with:
//
//	T = (T_acc^γ + T_net^γ)^(1/γ)
//	T_acc = a + b·m                       m: batch of a worker, r: workers
//	T_net = 0 for one worker, α_r + β_r·(r−2) on one node, α_n + β_n·(r−2) across nodes
//
// The fit minimises the mean square of the error of log T, plus 1e-3·(γ−1)² and
// 1e-2·((β_n/α_n)² + (β_r/α_r)²). What the points cannot tell is frozen, as Pollux does: a and
// b stay equal parts for one batch size, the network costs that no point shows stay at zero.
//
// What comes in are step times that were measured at some shapes; what goes out is the step time of any shape, without
// a word on how sure that is.
package pollux
