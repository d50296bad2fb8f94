"""In the shape of Kubeflow's dist_mnist.py: between-graph replication, in which each worker trains by itself on the variables
that the parameter servers have, and the first looks after checkpoints.

A GPU is what this stands for and does not have: each step takes as long as it would take one (STEP_SECONDS).
"""

import argparse
import json
import os
import time

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train_steps", type=int, default=200)
    parser.add_argument("--most_workers", type=int, default=8)
    options = parser.parse_args()
    config = json.loads(os.environ["TF_CONFIG"])
    job, index = config["task"]["type"], config["task"]["index"]
    servers, workers = config["cluster"]["ps"], config["cluster"]["worker"]
    # Where workers may come and go, each is told of the parameter servers and of itself, by its number. A server is told of
    # no worker, and has to know all that may come: their names are like its own.
    if isinstance(workers, dict):
        workers = {int(i): address for i, address in workers.items()}
    if job == "ps" and not workers:
        workers = [servers[0].replace("-ps-0", f"-worker-{i}") for i in range(options.most_workers)]
    cluster = tf.train.ClusterSpec({"ps": servers, "worker": workers})
    # A worker talks to the parameter servers alone, so that others may come and go.
    session = tf.ConfigProto(device_filters=["/job:ps", f"/job:{job}/task:{index}"])
    server = tf.train.Server(cluster, job_name=job, task_index=index, config=session)
    if job == "ps":
        server.join()
    seconds = float(os.environ.get("STEP_SECONDS", "0.2"))
    with tf.device(tf.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=cluster)):
        step = tf.train.get_or_create_global_step()
        x = tf.placeholder(tf.float32, [None, 784])
        y = tf.placeholder(tf.int64, [None])
        weights = tf.get_variable("weights", [784, 10])
        bias = tf.get_variable("bias", [10], initializer=tf.zeros_initializer())
        loss = tf.losses.sparse_softmax_cross_entropy(y, tf.matmul(x, weights) + bias)
        train = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=step)
    random = np.random.default_rng(index)
    with tf.train.MonitoredTrainingSession(
        master=server.target, is_chief=index == 0, checkpoint_dir="/data/checkpoints", config=session,
        hooks=[tf.train.StopAtStepHook(last_step=options.train_steps)], save_checkpoint_steps=100, log_step_count_steps=None,
    ) as run:
        local = 0
        while not run.should_stop():
            batch = random.random((32, 784), dtype=np.float32)
            _, now = run.run([train, step], {x: batch, y: (batch.sum(axis=1) * 7).astype(np.int64) % 10})
            time.sleep(seconds)
            local += 1
            print(f"{time.time():f}: Worker {index}: training step {local} done (global step: {now})", flush=True)


if __name__ == "__main__":
    main()
