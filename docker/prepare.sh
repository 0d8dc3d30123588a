#!/bin/sh
# Makes a base image ready for klabel: a clang that builds C programs, with the
# sanitizers' runtimes where the distribution has them, and a user that is not
# root. Where all is there already nothing is fetched.
set -eu

say() { printf 'prepare: %s\n' "$*" >&2; }

clangs="clang clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 clang-13"

# builds FLAGS: some clang of the image compiles and links a program with them.
builds() {
    for c in $clangs; do
        command -v "$c" >/dev/null 2>&1 || continue
        if printf '#include <stdio.h>\nint main(void) { return 0; }\n' |
            "$c" "$@" -x c - -o /tmp/prepare-probe 2>/dev/null; then
            rm -f /tmp/prepare-probe
            return 0
        fi
    done
    return 1
}

if ! builds -fsanitize=address,undefined && command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    apt-get install -y --no-install-recommends clang llvm libc6-dev
    major=$(clang -dumpversion | cut -d. -f1)
    # Some releases keep the runtimes in a package that clang brings along.
    builds -fsanitize=address,undefined ||
        apt-get install -y --no-install-recommends "libclang-rt-$major-dev" ||
        say "no sanitizers for clang $major: replays judge less strictly"
    rm -rf /var/lib/apt/lists/*
fi
if ! builds; then
    say "this base image has no working clang, and apt-get could not install one"
    exit 1
fi

if ! cut -d: -f3 /etc/passwd | grep -qx 1000; then
    echo 'klabel:x:1000:1000:klabel:/tmp:/bin/sh' >>/etc/passwd
    cut -d: -f3 /etc/group | grep -qx 1000 || echo 'klabel:x:1000:' >>/etc/group
fi
# KLEE's image keeps KLEE below a home folder that only its owner may enter.
if [ -d /home/klee ]; then chmod a+rx /home/klee; fi
mkdir -p /src
chown 1000:1000 /src
