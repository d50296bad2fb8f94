package main

const simHelp = `Replay a trace of training jobs under scheduling policies, side by side, and count
the deadlines that each of them meets. Beside every result stands the bound: what
a scheduler could do at most that knew all jobs in advance; and for how long jobs
had no GPU, and how long it was from their arrival to their end: the mean, and
what 95 of 100 did not exceed.

Files:
  The trace is CSV with a job in each line. Its header has the columns job_id,
  model_name, batch_size, num_gpu, duration, and either submission_time,
  num_iteration, deadline or submit_time, iteration, ddl. Times are in seconds; a
  job without a deadline is best-effort. It may also have gpu_type, for --price and
  --gpu-type; guess, which is 1 for a job of which nothing was measured; queue, and
  priority within it; after, the job_ids of those that have to be finished before it
  starts; and deadline_by, which is queue where its queue has given it the deadline,
  and nobody where none may. The cluster that is replayed has one kind of GPU: where
  jobs ran on several, --gpu-type chooses one, or all takes all for one kind.
  The folder of throughputs holds MODEL.csv for every model_name of the trace:
  iterations per second, with a row for each global_batch_size and a column for
  each number of GPUs. A size whose cell is empty was not measured, and is not
  used. Rows with mistakes are reported and left out.

Policies:
  takt               the planner of Takt: promises first, the rest where it helps most
  elasticflow        ElasticFlow as published, with the overhead that it measured
  elasticflow-fixed  the same with its faults repaired
  edf                earliest deadline first, each job as large as it can be
  edf-admission      the same at the smallest size that will do; declines others
  edf-elastic        the same, but sizes change, and no job is declined
  fifo               kube-scheduler: the size that was asked for, first come first served
  tiresias           least service first; deadlines are not looked at
  optimus            shortest remaining time by GPUs; deadlines are not looked at

Predictors:
  oracle             is told all speeds, each wrong by a random factor; the standard
                     deviation of its logarithm is --noise
  learning           sees nothing but the progress of jobs that run, and --noise is
                     in every reading

Guarantees, which only takt gives:
  best-effort        jobs start as they are planned, and are promised their deadlines
                     where that turns nobody away
  promise            no job starts before it is promised its deadline

Queues, of which only takt knows:
  --queues names a file with TrainingQueues, such as takt trace writes: what each is
  guaranteed and may have, and what its jobs are given. A job keeps a deadline of its
  own; the trace does not tell which guarantee it has asked for, whether it may be
  interrupted, or of which namespace it is, so all jobs of a queue are served alike.
  Without the file all jobs share the cluster as one queue. What became of the jobs
  of each queue is told either way, and under all policies.

A node that fails (--failures) is back after 30 minutes. Its jobs go on from their
last checkpoint, of which they make one every 10 minutes.`

const simExamples = `  takt sim --trace docs/examples/jobs.csv --throughputs docs/examples/speeds --gpus 16
  takt sim --trace jobs.csv --throughputs speeds --gpus 64 --gpus-per-node 4 \
      --policy takt,elasticflow,edf --html comparison.html
  takt sim --trace jobs.csv --throughputs speeds --gpus 64,96,128 --price 2.50
  takt sim --trace jobs.csv --throughputs speeds --gpus 64 --deadlines 0.8
  takt sim --trace jobs.csv --throughputs speeds --gpus 64 --queues queues.yaml
  takt sim --trace jobs.csv --throughputs speeds --gpus 64 --policy all \
      --predictor learning --noise 0.1 --failures 720h -o json`
