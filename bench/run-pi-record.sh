#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What recording costs a call: the host of tests/pi-host makes cheap calls alone, with a dispatcher that nobody listens to,
# and recorded in each format; and what replay and drive take for them. Nanoseconds a call, median of BENCH_ROUNDS (5),
# over 1 and over 8 threads. The calls do nothing, so the ratios are the worst there are: a kernel launch takes microseconds.
# At last the same of the Unified Runtime: queries of 4 bytes, with one thread, alone and recorded.
# Needs what `make check` builds in tests/pi-host.
#
#   BENCH_PI_CALLS      calls of each thread (200000)
#   BENCH_ROUNDS        5
set -eu
export LC_ALL=C
builddir=${BUILDDIR:-.}
calls=${BENCH_PI_CALLS:-200000}
rounds=${BENCH_ROUNDS:-5}
tracetool=$builddir/tracetool
host=$builddir/tests/pi-host
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
LD_LIBRARY_PATH=$host/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

if [ ! -x "$host/program" ] || [ ! -e "$host/.libs/libxptifw.so" ]; then
    echo "run-pi-record: tests/pi-host is not built; 'make check TESTS=' builds it" >&2
    exit 1
fi

# once COMMAND... : wall time in ns.
once() {
    begin=$(date +%s%N)
    "$@" >/dev/null 2>"$dir/err" || { cat "$dir/err" >&2; exit 1; }
    echo $(($(date +%s%N) - begin))
}

alone() { "$host/program" "$@"; }
listened() { XPTI_TRACE_ENABLE=1 XPTI_FRAMEWORK_DISPATCHER=libxptifw.so XPTI_SUBSCRIBERS='' "$host/program" "$@"; }
recorded() { # FORMAT ARGUMENT...
    format=$1
    shift
    "$tracetool" pi record --override -o "$dir/run-$format" --format "$format" "$host/program" -- "$@"
}
replayed() { "$tracetool" pi replay "$dir/run-native"; }
driven() { "$tracetool" pi drive "$dir/run-native" --plugin "$host/.libs/libpi_opencl.so"; }

# The fixed part, starting and ending, is that of a run with few calls.
measure() { # NAME THREADS COMMAND...
    name=$1 threads=$2
    shift 2
    for _ in $(seq "$rounds"); do
        few=$(once "$@" --threads "$threads" --calls 1)
        many=$(once "$@" --threads "$threads" --calls "$calls")
        echo $(((many - few) / (calls * (threads + 1))))
    done | sort -n | sed -n "$(((rounds + 1) / 2))p" >"$dir/$name-$threads"
}

# The calls are recorded right before, with the fixed part in them.
measure_whole() { # NAME THREADS COMMAND...
    name=$1 threads=$2
    shift 2
    recorded native --threads "$threads" --calls "$calls" >/dev/null 2>&1
    for _ in $(seq "$rounds"); do
        echo $(($(once "$@") / (calls * (threads + 1))))
    done | sort -n | sed -n "$(((rounds + 1) / 2))p" >"$dir/$name-$threads"
}

printf '%-24s %14s %14s\n' "$calls calls a thread" 'main + 1' 'main + 8'
for threads in 1 8; do
    measure alone "$threads" alone
    measure listened "$threads" listened
    for format in native g3 doc; do measure "record-$format" "$threads" recorded $format; done
    measure_whole replay "$threads" replayed
    measure_whole drive "$threads" driven
done
for name in alone listened record-native record-g3 record-doc replay drive; do
    printf '%-24s %8d ns/call %6d ns/call\n' "$name" "$(cat "$dir/$name-1")" "$(cat "$dir/$name-8")"
done
base=$(cat "$dir/alone-1")
printf 'record-native / alone: %s\n' "$(awk -v a="$(cat "$dir/record-native-1")" -v b="$base" 'BEGIN { printf "%.1f", a / (b > 0 ? b : 1) }')"
printf 'bytes a call: native %d, g3 %d, doc %d\n' \
    $(($(cat "$dir"/run-native/*.ttpi | wc -c) / (calls * 9))) $(($(cat "$dir"/run-g3/*.pi_trace | wc -c) / (calls * 9))) \
    $(($(cat "$dir"/run-doc/*.trace | wc -c) / (calls * 9)))

# The Unified Runtime.
ur_alone() { "$host/ur-loader" "$@"; }
ur_recorded() { "$tracetool" pi record --override -o "$dir/run-ur" "$host/ur-loader" -- "$@"; }
for name in ur_alone ur_recorded; do
    for _ in $(seq "$rounds"); do
        few=$(once $name --calls 1)
        many=$(once $name --calls "$calls")
        echo $(((many - few) / calls))
    done | sort -n | sed -n "$(((rounds + 1) / 2))p" >"$dir/$name"
    printf '%-24s %8d ns/call\n' "$name" "$(cat "$dir/$name")"
done
