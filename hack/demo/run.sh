#!/usr/bin/env bash
# Brings up a cluster, runs a training job on it with the real training-operator, shows the kinds
# of Takt, and takes it down. It fails unless the job succeeds and what makes no sense is refused.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mktemp -d)
finish() {
	local code=$?
	trap - EXIT INT TERM
	say "Taking the cluster down."
	bin/localcluster down --dir "$folder" >/dev/null || exit 1
	rm -rf "$folder"
	exit "$code"
}
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; else bold='' plain=''; fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
show() {
	printf '$ kubectl'
	for word in "$@"; do case $word in *[{\ ]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac; done
	echo
	bin/kubectl "$@" 2>&1
}
trap finish EXIT
trap 'exit 130' INT TERM

export KUBECONFIG=$folder/kubeconfig KUBECACHEDIR=$folder/kubectl

say "A real control plane, with eight nodes of eight GPUs"
bin/localcluster up --detach --dir "$folder" | grep --line-buffered ' ready after '
echo
show get nodes -L topology.kubernetes.io/rack,nvidia.com/gpu.product

say "A training job of two workers"
show apply --server-side -f hack/demo/resnet.yaml
show wait --for=condition=Running --timeout=1m pytorchjob/resnet
show get pods -o wide

say "It grows to four workers, and the two that train go on"
show patch pytorchjob resnet --type=merge -p '{"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":4}}}}'
show wait --for=create --timeout=1m pod/resnet-worker-3
show wait --for=condition=Ready --timeout=1m pod/resnet-worker-2 pod/resnet-worker-3
show get pods -o wide

say "The kinds of Takt"
show apply --server-side -k config/crd
show wait --for=condition=Established --timeout=1m -f config/crd/bases
show apply --server-side -f config/samples/elasticjob.yaml
show get elasticjob resnet -o yaml
echo "No operator acts on it yet. What makes no sense is refused all the same, without a webhook:"
answer=$(show patch elasticjob resnet --type=merge -p '{"spec":{"deadline":"tomorrow","workers":{"min":9}}}' || true)
echo "$answer"
grep -q 'remove one of them' <<<"$answer" || { echo "The API server has not refused it."; exit 1; }

say "Its workers come to their end, and the job succeeds"
show annotate pods -l training.kubeflow.org/job-name=resnet localcluster.takt.dev/run-for=0s
show wait --for=condition=Succeeded --timeout=2m pytorchjob/resnet
show get pytorchjobs,pods
