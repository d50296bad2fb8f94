package torchrun

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic/resize"
)

// shell is a container that runs a script of a shell.
func shell(text string, env ...corev1.EnvVar) *corev1.Container {
	return &corev1.Container{Command: []string{"sh", "-c", text}, Env: env}
}

// An option of torchrun counts from the length on from which its parser takes it for none of its others.
func TestAnOptionByItsBeginning(t *testing.T) {
	for text, want := range map[string][2]string{
		"torchrun --nnodes=2 train.py":                          {"nnodes", "2"},
		"torchrun --nnode=2 train.py":                           {"nnodes", "2"},
		"torchrun --nn 2 train.py":                              {"nnodes", "2"},
		"python -m torch.distributed.run --nnode 1 train.py":    {"nnodes", "1"},
		"python prepare.py; torchrun --nnode 3 train.py":        {"nnodes", "3"},
		"torchrun --n=2 train.py":                               {"nnodes", ""},
		"torchrun --nproc-per-node=2 --node_rank 1 train.py":    {"nnodes", ""},
		"torchrun --max_restart=3 train.py":                     {"max-restarts", "3"},
		"torchrun --max-r 3 train.py":                           {"max-restarts", "3"},
		"torchrun --ma 3 train.py":                              {"max-restarts", ""},
		"torchrun --rdzv_back static --rdzv_e a:1 train.py":     {"rdzv-backend", "static"},
		"torchrun --rdzv-endpoint=a:1 --rdzv-i=7 train.py":      {"rdzv-id", "7"},
		"torchrun --rdzv-co=timeout=5 train.py":                 {"rdzv-conf", "timeout=5"},
		"torchrun --rdzv 4 train.py":                            {"rdzv-backend", ""},
		"torchrun train.py --max 3":                             {"max-restarts", ""},
		"torchrun -m train --nn 64":                             {"nnodes", ""},
		"torchrun -m train --nnodes 64":                         {"nnodes", "64"},
		"torchrun --nnodesofgraph=64 train.py":                  {"nnodes", ""},
		"ARGS=\"--nnodes 4 --role a\"; torchrun $ARGS train.py": {"nnodes", "4"},
		"ARGS='--nnode=4 --role a'; torchrun $ARGS train.py":    {"nnodes", "4"},
		"ARGS+=\"--nnodes 4\"; torchrun $ARGS train.py":         {"nnodes", "4"},
		"ARGS=(--nnodes 4 --role a)\ntorchrun ${ARGS[@]} a.py":  {"nnodes", "4"},
		"(torchrun --nnodes=4)":                                 {"nnodes", "4"},
		"torchrun train.py --nnodes=4|tee log":                  {"nnodes", "4"},
		"torchrun train.py --nnodes=4&&echo done":               {"nnodes", "4"},
		"torchrun train.py --nnodes 4;echo done":                {"nnodes", "4"},
		"torchrun train.py --nnodes=4>log":                      {"nnodes", "4"},
		"torchrun --nnodes=4\\\n--max-restarts=3 train.py":      {"nnodes", "4"},
		"torchrun --nnodes \\\n4 train.py":                      {"nnodes", "4"},
		"bash -c \"torchrun --nnodes=\\\"4\\\" train.py\"":      {"nnodes", "4"},
		"bash -c 'torchrun --nnodes=4'":                         {"nnodes", "4"},
		"torchrun --nnodes=\"4\" train.py":                      {"nnodes", "4"},
		"torchrun --nnodes \"4\" train.py":                      {"nnodes", "4"},
		"torchrun --nnodes \"\" train.py":                       {"nnodes", ""},
		"torchrun --nnodes=\"\" train.py":                       {"nnodes", ""},
		"torchrun --nnodes=$(NODES) train.py":                   {"nnodes", "2"},
		"torchrun --nnodes=$(NODES):$(MOST) train.py":           {"nnodes", "2:8"},
		"torchrun --nnodes ${NODES} train.py":                   {"nnodes", "2"},
		"torchrun --nnodes \"${OTHERS:-4}\" train.py":           {"nnodes", "4"},
		"torchrun --nnodes=$NODES|tee log":                      {"nnodes", "2"},
		"A=\"5\"&&torchrun --nnodes=$A train.py":                {"nnodes", "5"},
		"torchrun --nnodes=$OTHERS train.py":                    {"nnodes", ""},
		"torchrun --nnodes=$(wc -l hosts) train.py":             {"nnodes", ""},
		"torchrun --nnodes $(( A + 4 )) train.py":               {"nnodes", ""},
		"A=$((4+1)); torchrun --nnodes $A train.py":             {"nnodes", ""},
		"torchrun --nnodes=`nproc` train.py":                    {"nnodes", ""},
	} {
		c := shell(text, corev1.EnvVar{Name: "NODES", Value: "2"}, corev1.EnvVar{Name: "MOST", Value: "8"})
		if got, given := Option(c, want[0]); got != want[1] || given != (want[1] != "") {
			t.Errorf("%s\n\tsays --%s %q, want %q", text, want[0], got, want[1])
		}
	}
}

func TestTheSizeInACommand(t *testing.T) {
	for text, want := range map[string]string{
		"python train.py --distributed-world-size 8":                  "--distributed-world-size 8",
		"fairseq-train --distributed_world_size=8|tee log":            "--distributed_world_size=8",
		"fairseq-hydra distributed_training.distributed_world_size=4": "distributed_training.distributed_world_size=4",
		"python -m verl.trainer.main_ppo trainer.nnodes=4":            "trainer.nnodes=4",
		"ARGS=\"trainer.nnodes=4 a=b\"; python main.py $ARGS":         "trainer.nnodes=4",
		"ARGS=(trainer.nnodes=4 a=b); python main.py ${ARGS[@]}":      "trainer.nnodes=4",
		"deepspeed --num_nodes=4&&echo done":                          "--num_nodes=4",
		"deepspeed --num_node 4 train.py":                             "--num_node 4",
		"deepspeed --num_gpus 4 train.py":                             "",
		"python -m verl.trainer.main_ppo trainer.nnodes=5":            "",
		"python -m verl.trainer.main_ppo trainer.nnodes=$NNODES":      "",
	} {
		if got, found := SizeInCommand(shell(text), resize.Workers(4)); found != (want != "") || found && got != want {
			t.Errorf("%s\n\tsays %q, want %q", text, got, want)
		}
	}
}
