#!/bin/sh
# Installs what klabel's build and tests need, on Debian and Ubuntu, through the
# package manager; elsewhere says what to install. Prints nothing when all is
# there. With the argument "test", also the tools that only the tests use.
set -eu

need_go=1.26   # the least version that go.mod accepts
fetch_go=1.26.8 # what is fetched when the distribution's Go is older

say() { printf 'install: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif have sudo; then sudo "$@"
    else say "needs root for: $*"; say "run it yourself, then try again"; return 1
    fi
}

clang_found() {
    have clang && return 0
    for v in 21 20 19 18 17 16 15 14; do have "clang-$v" && return 0; done
    return 1
}

# A clang without the sanitizers' runtimes works, but judges tests less strictly.
asan_found() {
    for c in clang clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do
        have "$c" || continue
        dir=$(dirname "$("$c" -print-file-name=libclang_rt.asan-x86_64.a 2>/dev/null)")
        [ -d "$dir" ] && [ "$dir" != . ] && return 0
        ls "$("$c" -print-resource-dir)"/lib/*/libclang_rt.asan*.a >/dev/null 2>&1 && return 0
    done
    return 1
}

go_ok() {
    have go || return 1
    v=$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null | sed 's/^go//')
    [ -n "$v" ] || return 1
    [ "$(printf '%s\n%s\n' "$need_go" "$v" | sort -V | head -n 1)" = "$need_go" ] && return 0
    # From 1.21 on, go itself fetches the version that go.mod asks for.
    [ "$(printf '%s\n%s\n' 1.21 "$v" | sort -V | head -n 1)" = 1.21 ]
}

private_go="${XDG_CACHE_HOME:-$HOME/.cache}/klabel/go"

# An old Go can still fetch a new one as a module.
bootstrap_go() {
    [ -x "$private_go/bin/go" ] && return 0
    say "fetching Go $fetch_go"
    arch=$(go env GOARCH)
    # Away from go.mod, which an old Go cannot read.
    dir=$(cd / && GOFLAGS=-modcacherw go mod download -json "golang.org/toolchain@v0.0.1-go$fetch_go.linux-$arch" |
        sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
    [ -n "$dir" ] || { say "could not fetch Go; install Go $need_go or later yourself"; return 1; }
    mkdir -p "$(dirname "$private_go")"
    rm -rf "$private_go.part"
    cp -R "$dir" "$private_go.part"
    chmod -R u+w "$private_go.part"
    chmod +x "$private_go.part"/bin/* "$private_go.part"/pkg/tool/*/*
    mv "$private_go.part" "$private_go"
}

packages=""
clang_found || packages="$packages clang"
have make || packages="$packages make"
have git || packages="$packages git"
have go || [ -x "$private_go/bin/go" ] || packages="$packages golang-go"
if [ "${1:-}" = test ]; then
    have cc || packages="$packages gcc libc6-dev"
    { have csmith && [ -e /usr/include/csmith/csmith.h ]; } || packages="$packages csmith libcsmith-dev"
    have z3 || packages="$packages z3"
    # The linker that is quick with sanitizers; without it the tests take longer.
    have ld.lld || ls /usr/lib/llvm-*/bin/ld.lld >/dev/null 2>&1 || packages="$packages lld"
    # The C library of 32-bit programs, for the tests of -m32: 17 MB to fetch.
    [ "$(uname -m)" != x86_64 ] || [ -e /usr/lib32/libc.so ] || packages="$packages gcc-multilib"
fi
asan_found || asan_missing=1

if [ -n "$packages" ] || [ -n "${asan_missing:-}" ]; then
    if have apt-get; then
        # shellcheck disable=SC2086
        if [ -n "$packages" ]; then
            say "installing:$packages"
            as_root apt-get update -qq
            as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null ||
                { say "apt-get could not install:$packages"; exit 1; }
        fi
        if ! asan_found; then
            for v in 21 20 19 18 17 16 15 14; do
                if have "clang-$v"; then
                    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "libclang-rt-$v-dev" >/dev/null 2>&1 ||
                        say "no libclang-rt-$v-dev here: replays will run without AddressSanitizer"
                    break
                fi
            done
        fi
    elif [ -n "$packages" ]; then
        say "this is neither Debian nor Ubuntu; install these (or what they are called here), then try again:$packages"
        exit 1
    fi
fi
go_ok || [ -x "$private_go/bin/go" ] || bootstrap_go
