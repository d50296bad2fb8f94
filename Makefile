# Needs Go, make, git and a C compiler; everything else is built from source. The control plane
# is built once for each version and kept in CACHE.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/takt
MODULES := . scheduler localcluster localcluster/trainingoperator localcluster/coredns hack/packaging hack/monitoring
TOOLS := bin/tools/controller-gen bin/tools/golangci-lint

# What is compiled does not depend on where this clone is: another one finds it in Go's cache. Without what only debuggers
# read, programs and tests are linked in two thirds of the time.
export GOFLAGS := $(strip -trimpath -ldflags=-w $(filter-out -trimpath -ldflags=-w,$(shell go env GOFLAGS)))

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { name[++n] = $$1; does[n] = $$2; if (length($$1) > wide) wide = length($$1) } \
		END { for (i = 1; i <= n; i++) printf "  %-" wide "s %s\n", name[i], does[i] }' $(MAKEFILE_LIST)

.PHONY: generate
generate: bin/tools/controller-gen ## Regenerate deep copies, CRDs and docs/api.md from the API types, dashboards, and what the chart has of config/ and of the settings
	bin/tools/controller-gen object crd paths=./api/... output:crd:dir=config/crd/bases
	cd hack/monitoring && go run ./dashboards -from dashboards -to ../../config/monitoring/dashboards
	hack/packaging/copy
	go run ./hack/chart
	go run ./hack/reference

.PHONY: sentences
sentences: ## List anew what Takt says, in docs/sentences.md
	go test ./elastic ./elastic/begin ./elastic/ending ./elastic/forecast ./elastic/live ./elastic/outsiders ./elastic/reach ./elastic/resize ./elastic/starting ./elastic/yield -run '^TestScenarios$$' -rewrite
	go test ./hack/sentences -rewrite

.PHONY: verify
verify: generate ## Regenerate everything, and fail if the working tree is not clean, or what is built has a vulnerability that is mended by now, or a part that nobody can look up
	for module in $(MODULES) hack/tools; do (cd $$module && go mod tidy) || exit 1; done
	@if [ -n "$$(git status --porcelain)" ]; then \
		git --no-pager status --short; git --no-pager diff | head -100; \
		echo "The tree is not clean: commit what make verify has regenerated, and your own changes."; exit 1; \
	fi
	@$(MAKE) --no-print-directory vulnerabilities sbom

.PHONY: vulnerabilities
vulnerabilities: build scheduler ## Look for known vulnerabilities in all programs that are given away, by what they call
	hack/packaging/vulnerabilities "$(CACHE)" bin/takt-operator bin/takt-scheduler bin/takt-agent bin/takt

.PHONY: sbom
sbom: build scheduler ## Write down what all programs that are given away are made of (SPDX), as they tell themselves, in bin/takt.spdx.json
	cd hack/packaging && go run ./sbom --version "$(VERSION)" --created "$$(git log -1 --format=%ct || echo 0)" \
		$(addprefix ../../bin/,takt-operator takt-scheduler takt-agent takt) > ../../bin/takt.spdx.json

.PHONY: lint
lint: bin/tools/golangci-lint ## Check style and the import rules, and that these rules fire
	go test -count=1 ./hack/lint
	printf '%s\n' $(MODULES) | xargs -P 2 -I{} sh -c 'cd {} && "$(CURDIR)/bin/tools/golangci-lint" run --allow-parallel-runners ./...'

.PHONY: build
build: ## Build all programs into bin/
	go build ./...
	$(foreach program,$(notdir $(wildcard cmd/*)),$(if $(filter takt-agent,$(program)),CGO_ENABLED=0 )go build -o bin/$(program) ./cmd/$(program);)

# The version of what is built to be given away: a tag, or where there is none yet, when it was committed and what.
VERSION ?= $(shell git describe --tags --match 'v[0-9]*' 2>/dev/null || \
	TZ=UTC git log -1 --date=format-local:%Y%m%d%H%M%S --format=v0.0.0-%cd-%h)
# The commit that it is built from, and whether that is all.
REVISION ?= $(shell git describe --always --abbrev=40 --exclude '*' --dirty 2>/dev/null)
# What the image is called, and the architectures that it is for. That of the agent alone is called the same, with -agent.
IMAGE ?= localhost/takt
ARCHITECTURES ?= $(shell go env GOARCH)

.PHONY: image
image: ## Make the images of Takt and of its agent without a container engine, as archives in bin/images for each of ARCHITECTURES
	@mkdir -p bin/images
	@archive() { \
		(cd localcluster && go run ./cmd/localcluster image "$$1:$(VERSION)" --architecture $$architecture --user 65532:65532 \
			--root ../bin/images/$$2$$architecture --entrypoint "/$$4" --archive ../bin/images/$$3-linux-$$architecture.tar \
			--label org.opencontainers.image.title="$$3" --label org.opencontainers.image.version="$(VERSION)" \
			--label org.opencontainers.image.description="$$5" \
			--label org.opencontainers.image.revision="$(REVISION)" \
			--label org.opencontainers.image.licenses=Apache-2.0) || exit 1; \
		echo "bin/images/$$3-linux-$$architecture.tar is the image $$1:$(VERSION)."; \
	}; \
	for architecture in $(ARCHITECTURES); do \
		rm -rf bin/images/$$architecture bin/images/agent-$$architecture; \
		hack/image/build "$(VERSION)" $$architecture bin/images/$$architecture bin/images/agent-$$architecture || exit 1; \
		archive "$(IMAGE)" "" takt takt-operator "Elastic training with deadlines"; \
		archive "$(IMAGE)-agent" agent- takt-agent takt-agent "What Takt runs in the pods of trainings"; \
	done

SCORECARD ?=

.PHONY: bundle
bundle: ## Make the bundle of Takt for the Operator Lifecycle Manager, in bin/bundle
	cd hack/packaging && go run ./bundle --version "$(VERSION)" --image "$(IMAGE):$(VERSION)" \
		--agent-image "$(IMAGE)-agent:$(VERSION)" --scorecard "$(SCORECARD)" --created "$$(git log -1 --format=%ct || echo 0)" --out ../../bin/bundle

.PHONY: release
release: ## Make all that a release gives away, in bin/release: make release VERSION=v0.1.0 IMAGE=registry.example.com/takt
	@hack/packaging/check "$(VERSION)" "$(IMAGE)"
	@$(MAKE) --no-print-directory image bin/tools/helm VERSION="$(VERSION)" ARCHITECTURES="amd64 arm64"
	hack/packaging/release "$(VERSION)" "$(IMAGE)" bin/release

# The zoo and other long stories play without the race detector: with it, they take more than ten minutes of processor time,
# more than all else together. All of what they play happens in one goroutine, and smaller tests have the detector.
# Serial packages have it neither: nothing happens at the same time there, so that it has nothing to find.
# hack/lint sees to it that each test is played once, and that serial packages are serial.
stories := ^TestStory
serial := ./api/... ./elastic/... ./predictor/... ./simulator/... ./price ./records/... ./version ./hack/sentences ./e2e/lib/invariant \
	$(addprefix ./agent/,checkpoint contract dlrover install settings) \
	$(addprefix ./cli/,doctor golden show submit tables timeline trace whatif why) \
	$(addprefix ./operator/,kind/... capacity changes expiring keeping marking removal reporting settings shorthand view) \
	$(addprefix ./operator/,wording wrapping)

# Collecting garbage more rarely takes a tenth off the processor time.
unit: export GOGC := 400

# Side by side, and what takes longest first, so that each processor has work until the end.
.PHONY: unit
unit: ## Test all that needs no cluster, also for races (3 minutes)
	@$(MAKE) --no-print-directory --output-sync -j 3 unit-races unit-stories unit-modules unit-sdk

# What go vet would find is found by make lint.
unit_test := go test -short -vet=off -timeout 30m

.PHONY: unit-races
unit-races:
	$(unit_test) -race -skip '$(stories)' ./operator/stories ./operator/planning ./operator/learn $$(comm -23 <($(unit_packages)) <(go list $(serial) | sort))

.PHONY: unit-stories
unit-stories:
	$(unit_test) -run '$(stories)' ./operator/stories ./operator/learn ./operator/planning ./operator/recording ./printed
	$(unit_test) $(serial)

.PHONY: unit-modules
unit-modules:
	cd scheduler && $(unit_test) -race -count=1 ./plugin ./settings ./cmd/...  # go does not see that config/ and docs/ have changed
	cd scheduler && $(unit_test) ./gang ./order ./pack
	cd localcluster && $(unit_test) -race . ./cmd/localcluster ./image ./machine
	cd hack/packaging && $(unit_test) -count=1 ./...  # go does not see that charts/, config/ and docs/ have changed
	cd hack/monitoring && $(unit_test) -count=1 ./...  # the same

# The part of the tests of sdk/python that needs nothing but Python.
.PHONY: unit-sdk
unit-sdk:
	@if python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then \
		CGO_ENABLED=0 go build -o bin/takt-agent ./cmd/takt-agent && cd sdk/python/tests && $(sdk_test) -q $(sdk_tests_alone); \
	else echo "SKIPPED, NOT PASSED: the tests of sdk/python need Python 3.9 or newer."; fi

sdk_test = TAKT_AGENT="$(CURDIR)/bin/takt-agent" PYTHONDONTWRITEBYTECODE=1 python3 -W error -m unittest
sdk_tests_alone := test_telling test_harmless test_readme.Readme.test_a_script

SDK_VENV := $(CACHE)/sdk-python

.PHONY: sdk-test
sdk-test: ## Test sdk/python with the frameworks that it has callbacks for, as far as PyPI has them (2.5 GB the first time)
	CGO_ENABLED=0 go build -o bin/takt-agent ./cmd/takt-agent
	python3 -m venv "$(SDK_VENV)"
	export PATH="$(SDK_VENV)/bin:$$PATH"; pip install --quiet --upgrade pip mypy; \
		pip install --quiet --force-reinstall --no-deps ./sdk/python
	export PATH="$(SDK_VENV)/bin:$$PATH"; for framework in "jax keras" "torch lightning" "torch transformers accelerate"; do \
		pip install --quiet $$framework || echo "SKIPPED, NOT PASSED: $$framework cannot be installed."; done
	export PATH="$(SDK_VENV)/bin:$$PATH"; cd sdk/python; mypy; \
		cd /; python3 -m mypy --strict -c 'import takt_training as takt; takt.progress(1, 2)'
	export PATH="$(SDK_VENV)/bin:$$PATH"; cd sdk/python/tests; $(sdk_test) -v

# All of this module that is no suite, no benchmark, and not tested with lint.
unit_packages = go list ./... | grep -Ev '/e2e/suites/|/e2e/benchmarks/(operator|scheduler|peers)$$|/hack/lint$$' | sort

# Those that take longest are first. Some have a control plane of their own, the others share one.
suites := $(patsubst %,./e2e/suites/%,operator scheduler faults crowd demo world cli kinds api)
# What go vet would find is found by make lint.
suite_test := go test -count=1 -vet=off
# These mostly wait: they are played beside the others, as far as the machine bears it, and else after them.
quiet_suites = ($(suite_test) $(1) ./e2e/suites/install && cd localcluster && $(suite_test) $(1) ./...)
# How many suites are played at a time: as many as the machine bears, or SIDE_BY_SIDE. What is trained beside a control
# plane that hardly gets a processor ends before it was looked at.
SIDE_BY_SIDE ?=
programs := localcluster scheduler kube-scheduler build bin/tools/helm

# What samples are drawn by: the same seed draws the same ones.
ifndef SEED
SEED := $(shell echo $$RANDOM)
endif

# $(call on_a_cluster,COMMANDS) runs them with a cluster of their own, which TAKT_CLUSTER names, and says at
# the end what the time of each suite went into. Collecting garbage more rarely leaves processors to others. In "side"
# they find how many suites the machine bears, by how soon that cluster was ready, and in "fewer" that a slow one is to
# play fewer tests of a suite at a time.
define on_a_cluster
@export GOGC=400; cluster=$$(mktemp -d); \
	trap 'bin/localcluster down --dir "$$cluster" >/dev/null && rm -rf "$$cluster"' EXIT; trap 'exit 130' INT TERM; \
	ready=$$(bin/localcluster up --detach --dir "$$cluster" | grep '^nodes: ') || exit 1; echo "$$ready"; \
	side=$(or $(SIDE_BY_SIDE),$$(awk '{ print $$5 < 4.8 ? 4 : $$5 < 6.5 ? 3 : $$5 < 11 ? 2 : 1 }' <<< "$$ready")); \
	fewer=$$([ $$side -gt 2 ] || echo "-parallel $$((side+4))"); \
	export TAKT_CLUSTER="$$cluster" TAKT_COSTS="$$cluster/costs" TAKT_SEED=$(SEED); echo "TAKT_SEED=$(SEED)"; \
	$(1); sort "$$cluster/costs"; $(call say_duration,This)
endef

# $(call say_duration,WHAT) says how long the shell has run that it is in.
say_duration = echo "$(1) took $$((SECONDS/60)) min $$((SECONDS%60)) s."

# Cheapest first: what lint or unit find fails before a cluster is started.
.PHONY: test
test: ## Check style, run the unit tests, judge every promise once on a real control plane, and train once for real (16 minutes)
	@$(MAKE) lint; $(MAKE) unit; $(MAKE) suites; $(MAKE) real; $(call say_duration,All of make $@)

.PHONY: suites
suites: $(programs) ## Judge every promise once on a real control plane, with samples of what takes long
	$(call on_a_cluster,echo "$$side suites are played at a time."; \
	quiet() $(call quiet_suites,-timeout 40m); [ $$side -lt 3 ] || { quiet & }; \
	$(suite_test) -timeout 60m -p $$side $$fewer $(suites); \
	if [ $$side -lt 3 ]; then quiet; else wait $$!; fi)

.PHONY: test-long
test-long: ## Play as a whole what make test has samples of: every fault, the storms, two hundred jobs, kills, all real training, the SDK (2 hours)
	@$(MAKE) unit-long; $(MAKE) suites-long; $(MAKE) e2e-real; $(MAKE) sdk-test; $(call say_duration,All of make $@)

.PHONY: unit-long
unit-long: ## The part of make test-long that needs no cluster; installs a browser, where it may
	@missing=$$(command -v chromium >/dev/null || echo chromium); $(call install,The tests in a browser)
	TAKT_LONG=1 go test -timeout 60m $$($(unit_packages))

.PHONY: suites-long
suites-long: $(programs) ## The part of make test-long that is on a control plane
	$(call on_a_cluster,export TAKT_LONG=1; $(call quiet_suites,-timeout 120m) & \
	$(suite_test) -timeout 120m -p 2 $(suites); wait $$!)

RUN ?=

.PHONY: e2e
e2e: $(programs) ## Run the suites one after the other, or what matches RUN=regex of them, and say all that they say
	$(call on_a_cluster,$(call quiet_suites,-v -timeout 60m -run '$(RUN)'); \
	$(suite_test) -v -timeout 60m -p 1 -run '$(RUN)' $(suites))

# $(call install,WHO) installs the packages of Debian that $missing names, where it may, or says that somebody needs them.
define install
if [ -n "$$missing" ]; then \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		export DEBIAN_FRONTEND=noninteractive; install="apt-get install --yes --no-install-recommends $$missing"; \
		$$install || { apt-get update && $$install; } || echo "These packages cannot be had: $$missing"; \
	else echo "$(1) need root and these packages: apt-get install --no-install-recommends $$missing"; fi; fi
endef

# The tests on real nodes need root, and install what they need of Debian where they may. Each says it loudly where what
# it needs cannot be had, such as the image with PyTorch.
# What they measure is written into the tables of BENCHMARKS.
BENCHMARKS ?= bin/benchmarks-real.md

.PHONY: e2e-real
e2e-real: real-programs image bin/tools/helm ## Run the tests on real nodes and with real training, or what matches RUN=regex of them; needs root, and installs packages
	-@$(MAKE) --no-print-directory frameworks
	cd localcluster && TAKT_REAL=1 go test -count=1 -v -timeout 60m -run '$(or $(RUN),^TestReal)' .
	TAKT_REAL=1 TAKT_BENCHMARKS="$(abspath $(BENCHMARKS))" go test -count=1 -v -timeout 90m -p 1 -run '$(or $(RUN),^TestReal)' ./e2e/suites/image ./e2e/suites/real ./e2e/suites/demo

.PHONY: real
real: ## The one of them that make test plays: a training gives half of its GPUs to others, and ends right and in time (2 minutes)
	@if [ "$$(id -u)" != 0 ]; then echo "SKIPPED, NOT PASSED: real training needs root, for nodes of its own."; exit; fi; \
	$(MAKE) --no-print-directory real-programs; \
	TAKT_REAL=1 go test -count=1 -v -timeout 20m -run '^TestRealTrainingMakesRoom$$' ./e2e/suites/real

.PHONY: real-programs
real-programs: kubelets scheduler
	go build -o bin/ ./cmd/takt-operator ./cmd/takt
	CGO_ENABLED=0 go build -o bin/ ./cmd/takt-agent
	@missing=$$(bin/localcluster check --packages | tr '\n' ' '); $(call install,The tests on real nodes)
	-@$(MAKE) --no-print-directory pytorch

TIMES ?= 20

# The loops end with the shell that has started them. Each round draws other samples than the one before.
.PHONY: stress
stress: $(programs) ## Run the suites, or what matches RUN=regex of them, TIMES times in a row beside two busy loops
	$(call on_a_cluster,for busy in 1 2; do { while kill -0 $$$$; do :; done; } 2>/dev/null & done; failed=; \
	for round in $$(seq $(TIMES)); do \
		export TAKT_SEED=$$(($(SEED)+round)); echo "TAKT_SEED=$$TAKT_SEED"; \
		$(call quiet_suites,-timeout 120m -run '$(RUN)') | sed -u '/no test/d' & beside=$$!; good=yes; \
		$(suite_test) -timeout 120m -p $$side -parallel 4 -run '$(RUN)' $(suites) | sed -u '/no tests to run/d' || good=; \
		wait $$beside && [ "$$good" ] || failed+=" $$round"; \
		echo "Round $$round of $(TIMES) is over after $$((SECONDS/60)) min. Failed:$${failed:- none}."; \
	done; [ -z "$$failed" ])

DATA ?= $(wildcard ../shared/data)

.PHONY: bench
bench: ## Measure what docs/benchmarks.md tells, or what matches BENCH=regex of it, with the published data in the folder DATA
	@[ -n "$(DATA)" ] || { echo "Name the folder with the data: make bench DATA=FOLDER"; exit 1; }
	go build -o bin/takt ./cmd/takt
	TAKT_DATA="$(abspath $(DATA))" go test -run '^$$' -bench '^BenchmarkBound$$' -benchtime 1x ./simulator
	go run ./hack/bench -data "$(abspath $(DATA))" -takt bin/takt -out docs/benchmarks.md -only '$(BENCH)'

.PHONY: zoo
zoo: ## Let the operator look after trainings with all habits of real ones, on a clock of its own, and write the tables of docs/benchmarks.md
	go test -count=1 -run '^TestStoryZoo(Starts|Strangers)?$$' ./operator/stories -zoo "$(CURDIR)/docs/benchmarks.md"

.PHONY: bench-operator
bench-operator: localcluster ## Measure what docs/benchmarks-operator.md tells, or what matches BENCH=regex of it, on a control plane of its own
	go build -o bin/takt-operator ./cmd/takt-operator
	go test -count=1 -run '^$$' -bench '$(or $(BENCH),.)' -benchtime 1x -timeout 90m -v ./e2e/benchmarks/operator -out "$(CURDIR)/docs/benchmarks-operator.md"
	go test -count=1 -run '^$$' -bench '$(or $(BENCH),.)' -v ./operator/page -out "$(CURDIR)/docs/benchmarks-operator.md"

.PHONY: bench-scheduler
bench-scheduler: localcluster scheduler kube-scheduler ## Measure what docs/benchmarks.md tells of the scheduler, beside kube-scheduler, on a control plane of its own
	go test -count=1 -run '^$$' -bench . -benchtime 1x -timeout 60m -v ./e2e/benchmarks/scheduler -out "$(CURDIR)/docs/benchmarks.md"

# The modules in e2e/benchmarks/peers are there to build those whom people would pick instead. Nothing else depends on them.
.PHONY: bench-peers
bench-peers: localcluster scheduler kube-scheduler ## Measure Takt beside kube-scheduler, coscheduling and Kueue, in one run: docs/benchmarks-peers.md tells
	go build -o bin/takt-operator ./cmd/takt-operator
	cd e2e/benchmarks/peers/coscheduling && go build -ldflags "-s -w" -o ../../../../bin/peers/coscheduling sigs.k8s.io/scheduler-plugins/cmd/scheduler
	cd e2e/benchmarks/peers/kueue && go build -ldflags "-s -w" -o ../../../../bin/peers/kueue sigs.k8s.io/kueue/cmd/kueue
	go test -count=1 -run '^$$' -bench '$(or $(BENCH),.)' -benchtime 1x -timeout 3h -v ./e2e/benchmarks/peers -out "$(CURDIR)/docs/benchmarks-peers.md"

.PHONY: demo
demo: localcluster scheduler $(if $(DEMO_REAL),real-programs) ## Show five jobs that compete for GPUs, on a cluster of their own, in two minutes; with DEMO_REAL=1 four that train, on real nodes, in seven: that needs root
	go build -o bin/ ./cmd/takt-operator ./hack/demo
	bin/demo -page bin/demo-page $(if $(DEMO_REAL),-real)

.PHONY: clean
clean: ## Take down the cluster in .localcluster and remove what was built; CACHE stays
	if [ -x bin/localcluster ] && [ -d .localcluster ]; then bin/localcluster down; fi
	rm -rf bin .localcluster

# The control plane. What takes minutes to build depends on the versions alone, and is found in
# CACHE under a name that says so.

kubernetes_version := $(shell awk '$$1 == "k8s.io/kubernetes" { print $$2 }' localcluster/go.mod)
version_parts := $(subst ., ,$(patsubst v%,%,$(kubernetes_version)))
version_flags := \
	-X k8s.io/component-base/version.gitVersion=$(kubernetes_version) \
	-X k8s.io/component-base/version.gitMajor=$(word 1,$(version_parts)) \
	-X k8s.io/component-base/version.gitMinor=$(word 2,$(version_parts))

# $(call cached,NAME,FILES) is the file in CACHE for what is built from these files with this Go.
cached = $(CACHE)/$(1)-$(shell { go env GOVERSION GOOS GOARCH; cat $(2); } | git hash-object --stdin)
kubernetes := $(call cached,kubernetes,localcluster/go.mod localcluster/go.sum localcluster/cmd/kubernetes/*.go)
node := $(call cached,node,localcluster/go.mod localcluster/go.sum localcluster/cmd/node/*.go)
coredns := $(call cached,coredns,localcluster/coredns/*.*)
pytorch := $(call cached,pytorch,e2e/suites/real/image/build.sh)
frameworks := $(call cached,frameworks,e2e/suites/real/image/*)
training_operator := $(call cached,training-operator,localcluster/trainingoperator/*.*)
kube_scheduler := $(call cached,kube-scheduler,scheduler/go.mod scheduler/go.sum)
helm := $(call cached,helm,hack/packaging/go.mod hack/packaging/go.sum)
controller_gen := $(call cached,controller-gen,hack/tools/go.mod hack/tools/go.sum)
golangci_lint := $(call cached,golangci-lint,hack/tools/go.mod hack/tools/go.sum)

# $(call place,FILE,PATH) puts a cached file in its place without a second copy, where it can. Its
# date tells when it was last used; what nobody has used for a month goes when something new comes.
place = touch $(1) && { ln -f $(1) $(2) 2>/dev/null || cp -f $(1) $(2); }
forget = find $(CACHE) -type f -mtime +30 -delete

# $(call keep,FOLDER,FLAGS,PACKAGE) builds a package of the module in a folder into CACHE. Two clones may do so at once.
define keep
mkdir -p $(@D)
new=$@.$$$$.new; (cd $(1) && go build $(2) -o $$new $(3)) && mv $$new $@
endef

$(kubernetes):
	@echo "Building Kubernetes $(kubernetes_version) from source: this takes minutes, once."
	$(call keep,localcluster,-ldflags "-s -w $(version_flags)",./cmd/kubernetes)
	@$(forget)

$(node):
	@echo "Building kubelet and kube-proxy $(kubernetes_version) from source: this takes minutes, once."
	$(call keep,localcluster,-ldflags "-s -w $(version_flags)",./cmd/node)

$(training_operator):
	$(call keep,localcluster/trainingoperator,-ldflags "-s -w",.)

$(coredns):
	$(call keep,localcluster/coredns,-ldflags "-s -w",.)

$(kube_scheduler):
	$(call keep,scheduler,-ldflags "-w $(version_flags)",k8s.io/kubernetes/cmd/kube-scheduler)

$(helm):
	$(call keep,hack/packaging,-ldflags "-s -w",helm.sh/helm/v4/cmd/helm)

$(controller_gen):
	$(call keep,hack/tools,-ldflags "-s -w",sigs.k8s.io/controller-tools/cmd/controller-gen)

$(golangci_lint):
	$(call keep,hack/tools,-ldflags "-s -w",github.com/golangci/golangci-lint/v2/cmd/golangci-lint)

$(pytorch):
	@echo "Making an image with Python and PyTorch of Debian's packages: this takes minutes, once."
	mkdir -p $(@D)
	e2e/suites/real/image/build.sh $@
	@$(forget)

.PHONY: pytorch
pytorch: $(pytorch) ## Make the image with PyTorch that the tests of real training use
	@mkdir -p bin/lib
	@$(call place,$(pytorch),bin/lib/pytorch.tar)

$(frameworks): | $(pytorch)  # which is touched whenever it is used
	@echo "Adding Hugging Face, Lightning and TensorFlow of PyPI to the image with PyTorch: this takes minutes, once."
	e2e/suites/real/image/frameworks.sh $(pytorch) $@

.PHONY: frameworks
frameworks: pytorch $(frameworks) ## Make the image with the frameworks that the tests of real training use besides; needs root
	@$(call place,$(frameworks),bin/lib/frameworks.tar)

.PHONY: localcluster
localcluster: $(kubernetes) $(training_operator) ## Build bin/localcluster and bin/kubectl
	@mkdir -p bin/lib/kubeflow
	@$(call place,$(kubernetes),bin/lib/kubernetes)
	@$(call place,$(training_operator),bin/lib/training-operator)
	@ln -sfn lib/kubernetes bin/kubectl
	@cd localcluster/trainingoperator && go mod download github.com/kubeflow/training-operator && \
		upstream=$$(go list -m -f '{{.Dir}}' github.com/kubeflow/training-operator)/manifests/base && \
		install -m 644 $$upstream/crds/kubeflow.org_{pytorchjobs,tfjobs}.yaml $$upstream/rbac/role.yaml "$(CURDIR)/bin/lib/kubeflow"
	cd localcluster && go build -o ../bin/localcluster ./cmd/localcluster

.PHONY: kubelets
kubelets: localcluster $(node) $(coredns) ## Build what localcluster up --kubelets needs besides
	@$(call place,$(node),bin/lib/node)
	@$(call place,$(coredns),bin/lib/coredns)
	cd localcluster && CGO_ENABLED=0 go build -ldflags "-s -w" -o ../bin/lib/ ./cmd/machine ./cmd/pause

.PHONY: scheduler
scheduler: ## Build bin/takt-scheduler, which is kube-scheduler with Takt's plugin
	cd scheduler && go build -ldflags "-w $(version_flags)" -o ../bin/takt-scheduler ./cmd/takt-scheduler

.PHONY: kube-scheduler
kube-scheduler: $(kube_scheduler) ## Build kube-scheduler as it is from the same module, to compare
	@mkdir -p bin/lib
	@$(call place,$(kube_scheduler),bin/lib/kube-scheduler)

bin/tools/helm: $(helm)
bin/tools/controller-gen: $(controller_gen)
bin/tools/golangci-lint: $(golangci_lint)
bin/tools/%:
	@mkdir -p $(@D)
	@$(call place,$<,$@)
