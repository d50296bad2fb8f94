package printed

// processes are what launchers put before what a process writes, with its number.
var processes = made([]form{
	{name: "torchrun", is: `^\[ (?:rank|default|worker|trainer|gpu|node|local_rank|proc|process)[ :_-]*([0-9]{1,6})\]:? `,
		examples: []example{
			{"[default0]:step 4/10", "step 4/10, by 0"}, {"[rank3]: step 4/10", "step 4/10, by 3"},
			{"[rank: 3] step 4/10", "step 4/10, by 3"},
			{"[GPU2] step 4/10", "step 4/10, by 2"}, {"[epoch 3] step 4/10", "epoch 3, step 4/10"},
		}},
	{name: "mpirun and horovodrun", is: `^\[(?:[0-9]+,)?(?:mpirank:)?([0-9]{1,6})(?:,[a-z0-9.-]+)?\]<std(?:out|err)>: ?`,
		examples: []example{
			{"[1,2]<stdout>: step 4/10", "step 4/10, by 2"}, {"[2]<stdout>:step 4/10", "step 4/10, by 2"},
			{"[1,mpirank:2,algo-1]<stderr>:step 4/10", "step 4/10, by 2"},
		}},
	{name: "Ray", is: `^\((?:[a-z_]+ )?(?:pid|rank)=([0-9]{1,9})[^)]*\) `, examples: []example{
		{"(RayTrainWorker pid=123, ip=10.0.0.1) step 4/10", "step 4/10, by 123"},
	}},
	{name: "srun", is: `^([0-9]{1,4}):\s `, examples: []example{{"12: step 4/10", "step 4/10, by 12"}}},
})
