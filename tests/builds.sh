#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds tracetool as other people build it: from the tarball, with other compilers and levels of optimization, without
# optional libraries. Each build turns warnings into errors and runs a few tests of the built program.
#
#   tests/builds.sh [--list] [BUILD...]     default: all
#
# The last line is "N passed, N failed, N skipped". Not part of `make check`: each build takes a minute or two.
set -eu
src=$(cd "$(dirname "$0")/.." && pwd)
jobs=$(nproc 2>/dev/null || echo 2)
optional='zstd yajl'
# What shows that a program works: reading, statistics, compressed files, CTF, the libraries for other programs.
smoke='tests/cli/main.sh tests/cli/import.sh tests/cli/stats.sh tests/cli/ctf.sh tests/cli/tau-library.sh tests/base/test-input'
threaded='tests/cli/import.sh tests/cli/stats.sh tests/cli/ctf-events.sh tests/cli/pi.sh tests/cli/pi-device.sh tests/cli/tau-readers.sh tests/formats/test-event-feed tests/base/test-input tests/base/test-hash-ahead tests/base/test-read-ahead tests/base/test-sorter tests/store/test-table-pages'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 skipped=0

# build NAME CONFIGURE-ARGUMENT... : a tree of its own, warnings are errors.
build() {
    name=$1
    shift
    tree=$scratch/$name
    mkdir -p "$tree"
    (cd "$tree" && "$scratch/source/configure" -q --enable-werror "$@" && make -s -j"$jobs") >"$scratch/log" 2>&1
}

# passes NAME TEST... : runs tests in the tree of a build.
passes() {
    tree=$scratch/$1
    shift
    (cd "$tree" && make -s -j"$jobs" check TESTS="$*") >"$scratch/log" 2>&1
}

report() { # STATUS TEXT
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
        echo "builds: ok: $2"
    else
        failed=$((failed + 1))
        echo "builds: failed: $2"
        grep -E 'error:|Error |^(FAIL|ERROR):|undefined reference' "$scratch/log" | head -n 20
        tail -n 10 "$scratch/log"
    fi
}

skip() { # TEXT REASON
    skipped=$((skipped + 1))
    echo "builds: skipped: $1: $2"
}

# check_build NAME TEXT CONFIGURE-ARGUMENT...
check_build() {
    name=$1 text=$2
    shift 2
    status=0
    # shellcheck disable=SC2086
    { build "$name" "$@" && passes "$name" $smoke; } || status=1
    report $status "$text"
    rm -rf "${scratch:?}/$name"
}

have() { # TOOL...
    for tool in "$@"; do command -v "$tool" >/dev/null || return 1; done
}

# What depends on where the sources, the build and the installed files are; that the tarball has the files of all tests is
# asked by tests/dist.sh.
placed="$smoke tests/version.sh tests/layers.sh tests/cli/installed.sh tests/cli/help.sh tests/cli/examples.sh tests/cli/framework.sh
    tests/cli/probe.sh tests/base/test-shipped tests/formats/test-kineto tests/store/test-schema-doc"

# The tarball, unpacked and read-only: built outside its sources, its tests, install and uninstall, and cleaned. What the
# compiler makes of it is not asked: it neither optimizes nor builds test programs that do not run, and xz need not try hard.
build_distcheck() {
    have xz || { skip distcheck 'no xz'; return 0; }
    status=0
    mkdir "$scratch/distcheck"
    # shellcheck disable=SC2086
    (cd "$scratch/distcheck" && "$scratch/source/configure" -q &&
        XZ_OPT=-1 make -s -j"$jobs" distcheck DISTCHECK_CONFIGURE_FLAGS='-q CFLAGS=-O0 CXXFLAGS=-O0' \
            check_PROGRAMS="$(printf '%s\n' $placed | grep -v '\.sh$' | tr '\n' ' ')" \
            TESTS="$(printf '%s' "$placed" | tr '\n' ' ')") >"$scratch/log" 2>&1 || status=1
    report $status 'make distcheck'
    chmod -R u+w "$scratch/distcheck"
    rm -rf "$scratch/distcheck"
}

build_clang() {
    have clang clang++ || { skip clang 'no clang'; return 0; }
    check_build clang 'clang' CC=clang CXX=clang++
}

build_O0() {
    check_build O0 'gcc -O0' CFLAGS='-O0 -g' CXXFLAGS='-O0 -g'
}

build_lto() {
    have gcc-ar gcc-ranlib gcc-nm || { skip lto 'no gcc-ar'; return 0; }
    check_build lto 'gcc -O3 with link-time optimization' CC=gcc CXX=g++ AR=gcc-ar RANLIB=gcc-ranlib NM=gcc-nm \
        CFLAGS='-O3 -flto=auto' CXXFLAGS='-O3 -flto=auto'
}

# The import decodes in one thread and writes in another: tests that come to both, with ThreadSanitizer.
build_thread() {
    status=0
    build thread --enable-sanitizers=thread CFLAGS='-O1 -g1' CXXFLAGS='-O1 -g1' || status=1
    # shellcheck disable=SC2086
    [ $status -ne 0 ] ||
        (cd "$scratch/thread" && make -s -j"$jobs" check-TESTS TESTS="$threaded") >"$scratch/log" 2>&1 || status=1
    report $status 'ThreadSanitizer'
    rm -rf "$scratch/thread"
}

# Every combination of optional libraries. Only the sources that ask for one are compiled again.
build_optional() {
    status=0
    build optional || status=1
    report $status 'all optional libraries'
    [ $status -eq 0 ] || return 0
    tree=$scratch/optional
    for left_out in 'zstd' 'babeltrace2' 'yajl' "$optional"; do
        # shellcheck disable=SC2086
        arguments=$(printf -- ' --without-%s' $left_out)
        status=0
        # shellcheck disable=SC2086
        (cd "$tree" && cp -p config.h old-config.h && "$scratch/source/configure" -q --enable-werror $arguments &&
            touch -r old-config.h config.h && remove_askers && make -s -j"$jobs") >"$scratch/log" 2>&1 || status=1
        # shellcheck disable=SC2086
        [ $status -ne 0 ] || passes optional $smoke tests/formats/test-json || status=1
        # shellcheck disable=SC2086
        [ $status -ne 0 ] || says_so $left_out || status=1
        report $status "without $left_out"
    done
    rm -rf "$tree"
}

# Objects of the sources that depend on an optional library.
remove_askers() {
    grep -rlE 'HAVE_(ZSTD|BABELTRACE2|YAJL)' --include='*.c' --include='*.h' "$scratch/source" |
        sed "s#^$scratch/source/##; s#\.[ch]\$##" | while IFS= read -r asker; do
        folder=$(dirname "$asker")
        find "$folder" -maxdepth 1 -name "*-$(basename "$asker").*o" -delete -o \
            -maxdepth 1 -name "$(basename "$asker").*o" -delete
    done
    rm -f tracetool
}

# --version tells what a build lacks.
says_so() { # LIBRARY...
    "$scratch/optional/tracetool" --version >"$scratch/log"
    for library in "$@"; do
        case $library in yajl | babeltrace2) continue ;; esac # asked by tests only
        grep -q "^$library: no" "$scratch/log" || return 1
    done
}

all='distcheck thread clang O0 lto optional'
case ${1-} in
--list)
    echo "$all" | tr ' ' '\n'
    exit 0
    ;;
esac
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $all

mkdir "$scratch/source"
(cd "$src" && sh tests/copy-sources.sh --generated "$scratch/source")
[ -f "$scratch/source/configure" ] ||
    (cd "$scratch/source" && mkdir -p m4 && autoreconf -fi) >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
for name in "$@"; do
    case " $all " in
    *" $name "*) "build_$name" ;;
    *)
        echo "builds: no build '$name'; --list names them" >&2
        exit 2
        ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
