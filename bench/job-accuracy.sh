#!/bin/sh
# How far predicted iterations are from measured ones: a table of generated jobs. bench/job-accuracy.sh [GENERATOR]
# The generator (default ../shared/data/framework/gen_dpro.py) writes job directories; without it there is nothing to measure.
set -eu
export LC_ALL=C
builddir=${BUILDDIR:-.}
generator=${1:-${SHARED_DATA:-$(dirname "$0")/../../shared/data}/framework/gen_dpro.py}
limit=5
if [ ! -f "$generator" ] || ! command -v python3 >/dev/null; then
    echo "job-accuracy: no generator of jobs at '$generator'" >&2
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

row() { # OPTION... : one job of these options
    rm -rf "$scratch/job" "$scratch/job.db"
    mkdir "$scratch/job"
    python3 "$generator" "$scratch/job" "$@"
    "$builddir/tracetool" --db "$scratch/job.db" import -q "$scratch/job" 2>/dev/null
    "$builddir/tracetool" --db "$scratch/job.db" simulate --format json 2>/dev/null >"$scratch/out"
    nodes=$(grep -o '"n_operations":[0-9]*' "$scratch/out" | cut -d: -f2 | awk '{ n += $1 } END { print n + 0 }')
    field() { sed -n "s/^\"$1\": \\([-0-9.]*\\),*\$/\\1/p" "$scratch/out"; }
    printf '| %s | %d | %.3f | %.3f | %+.2f |\n' "$*" "$((nodes / 2))" "$(field measured_us | awk '{ print $1 / 1000 }')" \
        "$(field predicted_us | awk '{ print $1 / 1000 }')" "$(field error_percent)"
}

echo '| Job | Operations | Measured (ms) | Predicted (ms) | Error (%) |'
echo '|---|---:|---:|---:|---:|'
while IFS= read -r options; do
    # shellcheck disable=SC2086
    row $options
done <<END | tee "$scratch/rows"
--hosts 2 --gpus 2
--hosts 1 --gpus 2 --layers 4
--hosts 1 --gpus 4 --layers 8 --seed 11
--hosts 2 --gpus 1 --layers 5 --fuse 1 --seed 3
--hosts 2 --gpus 2 --layers 12 --fuse 4 --seed 12
--hosts 4 --gpus 1 --layers 10 --fuse 3 --slices 1
--hosts 2 --gpus 2 --layers 24 --fuse 24 --channels 1 --slices 1
--hosts 2 --gpus 2 --layers 24 --fuse 2 --channels 1 --slices 1 --seed 5
--hosts 2 --gpus 4 --layers 16 --fuse 4 --seed 21
--hosts 4 --gpus 2 --layers 8 --channels 1 --slices 4 --seed 9
--hosts 2 --gpus 2 --layers 6 --loops 2 --seed 31
--hosts 1 --gpus 4 --layers 8 --loops 4 --slices 1 --seed 32
--hosts 1 --gpus 8 --layers 20 --fuse 5 --channels 4 --slices 1 --seed 41
--hosts 2 --gpus 2 --layers 30 --fuse 3 --steps 8 --seed 51
--hosts 2 --gpus 2 --layers 6 --skew 0 --end --seed 61
--hosts 1 --gpus 1 --layers 10 --seed 71
--hosts 4 --gpus 4 --layers 12 --fuse 6 --seed 81
END
awk -F'|' -v limit="$limit" '{ error = $6 + 0; if (error < 0) error = -error; if (error > worst) worst = error; if (error > limit) n++ }
    END { printf "\n%d jobs, worst error %.2f %%, %d above %d %%\n", NR, worst, n + 0, limit; exit n > 0 }' "$scratch/rows"
