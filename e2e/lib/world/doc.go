// Package world gives each scenario test a world of its own on a cluster that it shares with
// others: a namespace, nodes that nobody else's pods can go to, an operator that sees nothing else,
// and trainings that are played. So scenarios run in parallel.
//
//	func TestIdleGPUsAreUsed(t *testing.T) {
//		t.Parallel()
//		w := world.New(t, world.Options{Start: operator.Run})
//		w.Nodes(2, 8)
//		w.PyTorchJob("resnet", world.Job{Workers: 1, Max: 8, Deadline: "10m"})
//		w.Eventually("resnet has all that it can use", world.Soon, func() error {
//			return world.Want("running workers", w.Job("resnet").Status.Workers.Running, 8)
//		})
//	}
//
// What is written in a world is on record (History), and checked against package invariant when the
// test ends. A test that fails prints what its world was like.
//
// What comes in are jobs, nodes and queues as a test wants them; what goes out is what became of them in the cluster,
// now and over time.
package world
