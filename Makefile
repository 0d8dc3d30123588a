# make demo and make test are the two commands to know; both install what is missing first.
SHELL := /bin/sh
PRIVATE_GO := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/klabel/go/bin
export PATH := $(PATH):$(PRIVATE_GO)
# The private Go is used where the system's is too old to fetch a newer one.
GO = $(shell if [ -x "$(PRIVATE_GO)/go" ]; then echo "$(PRIVATE_GO)/go"; else echo go; fi)

.PHONY: demo test build lint bench nightly install-tools fuzz docker clean

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
	$(GO) vet ./...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.6.1 ./...
	@files=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$files" ]; then echo "gofmt would change: $$files"; exit 1; fi
	$(GO) test -timeout 15m ./...
	$(GO) test -timeout 10m -race -short ./engine/... ./replayer/... ./store/... ./toolchain/... ./campaign/...

bench: build
	@mkdir -p dist
	GO=$(GO) ./bench/run.sh

clean:
	rm -rf klabel dist
