# make demo and make test are the two commands to know; both install what is missing first.
SHELL := /bin/sh
PRIVATE_GO := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/klabel/go/bin
export PATH := $(PATH):$(PRIVATE_GO)
# The private Go is used where the system's is too old to fetch a newer one.
GO = $(shell if [ -x "$(PRIVATE_GO)/go" ]; then echo "$(PRIVATE_GO)/go"; else echo go; fi)

# What starts goroutines and is quick to build is tested under the race detector, which costs other tests ten times
# their time: nightly.
CONCURRENT = klabel/(replayer|store)

.PHONY: demo test build bench nightly install-tools clean

build: install-tools
	$(GO) build -o klabel ./cmd/klabel

install-tools:
	@./scripts/install.sh

demo: build
	./klabel doctor
	./klabel run examples/triangle/triangle.WM.c --budget 30s --fresh -o dist/demo
	@echo
	@echo "The suite is in dist/demo/tests; 'klabel labels dist/demo' lists every label."

test:
	@./scripts/install.sh test
	$(GO) mod verify
	$(GO) vet ./...
	@files=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$files" ]; then echo "gofmt would change: $$files"; exit 1; fi
	$(GO) test -vet=off -short -timeout 18m -ldflags='-s -w' \
		$$($(GO) list ./... | grep -vE '^$(CONCURRENT)')
	$(GO) test -vet=off -short -timeout 10m -race -ldflags='-s -w' \
		$$($(GO) list ./... | grep -E '^$(CONCURRENT)')

# What takes hours: the whole of each test, many random programs, every prover on every program, fuzzing. And
# staticcheck, which looks at all that klabel is built from: two minutes of two processors.
nightly:
	@./scripts/install.sh test
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.6.1 ./...
	$(GO) test -timeout 2h ./...
	KLABEL_CSMITH=500 $(GO) test -timeout 4h -run Csmith ./engine/native ./annotate
	KLABEL_PROGRAMS=1 $(GO) test -timeout 1h -run RealPrograms ./annotate
	KLABEL_MERGE=300 $(GO) test -timeout 4h -run 'TestMerge$$' ./engine/native
	KLABEL_LANGUAGE=500 $(GO) test -timeout 4h -run 'TestLanguage$$' ./engine/native
	KLABEL_JUDGES=200 $(GO) test -timeout 4h -run Judges ./campaign
	KLABEL_TABLES=1 $(GO) test -run 'Pairs' ./annotate/logic
	KLABEL_ENUMERATE=1000 $(GO) test -timeout 4h -run Enumeration ./prune
	KLABEL_PRUNE_ALL=1 KLABEL_PRUNE_RUNS=100000 $(GO) test -timeout 4h ./prune
	KLABEL_CTESTS_ALL=1 $(GO) test -timeout 1h ./ctests
	KLABEL_SOAK=1 $(GO) test -timeout 4h -run 'Mutated|PowerLoss' ./store
	KLABEL_SOAK=1 $(GO) test -timeout 8h -run 'Kill|FakeTools|Interrupted|HostileEverywhere|FullAt' ./cmd/klabel
	KLABEL_SOAK=1 $(GO) test -run Scripts/joining ./cmd/klabel
	KLABEL_CLUSTER_KILLS=100 $(GO) test -timeout 1h -run "Killed|Weather" ./cluster
	KLABEL_CLUSTER_KILLS=100 $(GO) test -timeout 2h -run "Namespaces|WorkersAgree" ./cmd/klabel
	$(GO) test -timeout 2h -race ./...
	for p in ktest label csource engine/native/ir engine/native/expr; do \
		for f in $$($(GO) test -list '^Fuzz' ./$$p | grep ^Fuzz); do \
			$(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime 10m ./$$p || exit 1; done; done

bench: build
	@mkdir -p dist
	GO=$(GO) ./bench/run.sh

clean:
	rm -rf klabel dist
