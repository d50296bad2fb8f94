"""In the shape of TensorFlow's tutorial of training with several workers and Keras: MultiWorkerMirroredStrategy, model.fit,
and BackupAndRestore, which goes on where the workers were stopped.

A GPU is what this stands for and does not have: each sample takes as long as it would take one (SAMPLE_SECONDS).
"""

import json
import os
import time

import numpy as np
import tensorflow as tf

PER_WORKER = 8
SAMPLES = 480


def dataset(workers, index):
    seconds = float(os.environ.get("SAMPLE_SECONDS", "0.02"))
    x = np.random.default_rng(1).random((SAMPLES, 28, 28, 1), dtype=np.float32)
    y = (x.sum(axis=(1, 2, 3)) * 7).astype(np.int64) % 10

    def samples():
        for i in range(index, SAMPLES, workers):
            time.sleep(seconds)
            yield x[i], y[i]

    signature = (tf.TensorSpec((28, 28, 1), tf.float32), tf.TensorSpec((), tf.int64))
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    made = tf.data.Dataset.from_generator(samples, output_signature=signature)
    return made.repeat().batch(PER_WORKER, drop_remainder=True).with_options(options)


def main():
    task = json.loads(os.environ["TF_CONFIG"])
    workers, index = len(task["cluster"]["worker"]), task["task"]["index"]
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.Input(shape=(28, 28, 1)),
            tf.keras.layers.Conv2D(8, 3, activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(10),
        ])
        model.compile(
            loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            optimizer=tf.keras.optimizers.SGD(learning_rate=0.001), metrics=["accuracy"],
        )
    model.fit(
        dataset(workers, index), epochs=int(os.environ.get("EPOCHS", "120")), steps_per_epoch=SAMPLES // PER_WORKER // workers, verbose=2,
        callbacks=[tf.keras.callbacks.BackupAndRestore(backup_dir="/data/backup")],
    )
    # Whoever is not the chief saves as well, for saving takes all of them, and elsewhere.
    model.save("/data/model.keras" if index == 0 else f"/tmp/model-{index}.keras")


if __name__ == "__main__":
    main()
