#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Slurm: the ranks of a job make a directory of shards of the traces in a directory.
#   sbatch docs/slurm-import.sh TRACES FOLDER.shards     both on a file system that all nodes have
# A job that was stopped is submitted again as it is: --resume keeps the shards that are whole.
#SBATCH --job-name=tracetool
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=16
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
set -eu
traces=${1:?sbatch slurm-import.sh TRACES FOLDER.shards}
shards=${2:?sbatch slurm-import.sh TRACES FOLDER.shards}
# A rank that is killed while it starts then leaves no lock for which mpirun waits for ever.
export PMIX_MCA_gds="${PMIX_MCA_gds-hash}"
# Where Open MPI was built with the PMI of this Slurm (Debian: it is), `srun --mpi=pmix` does the same.
# shellcheck disable=SC2086
exec mpirun ${MPIRUN_OPTIONS-} -n "${SLURM_NTASKS:-2}" "${TRACETOOL_MPI:-tracetool-mpi}" --db "$shards" import --resume "$traces"
