#!/bin/sh
# Sees to it that the build stage has a Go that go.mod accepts. A Go image has
# one; on Debian or Ubuntu the distribution's Go fetches a newer one as a module.
set -eu

fetch=1.26.8 # when the distribution's Go is older than go.mod asks for

if command -v go >/dev/null 2>&1; then
    go version
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "go.sh: no Go in the build image: give one with --build-arg BUILDER=golang:1.26-bookworm" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends golang-go ca-certificates
rm -rf /var/lib/apt/lists/*
arch=$(go env GOARCH)
dir=$(GO111MODULE=on GOFLAGS=-modcacherw go mod download -json "golang.org/toolchain@v0.0.1-go$fetch.linux-$arch" |
    sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
if [ -z "$dir" ]; then
    echo "go.sh: Go $fetch could not be fetched: give a Go image with --build-arg BUILDER=golang:1.26-bookworm" >&2
    exit 1
fi
cp -R "$dir" /opt/go
chmod +x /opt/go/bin/* /opt/go/pkg/tool/*/*
/opt/go/bin/go version
