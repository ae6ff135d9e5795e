/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The definitions of the imaginary program: what tau-program.c alone includes.
 */
#pragma once

#include <glib.h>

#define MAX_METRICS 4

static const char *const functions[] = {
  "apply_boundary(double *, int) [{src/boundary.c} {14,1}-{58,1}] ",
  "assemble(Mesh &, std::vector<double> const&) [{src/assemble.cpp} {33,1}-{120,1}] ",
  "axpy(double, double *, double *, int) [{src/blas.c} {9,1}-{17,1}] ",
  "dot(double const *, double const *, int) [{src/blas.c} {19,1}-{27,1}] ",
  "fib(int) ",
  "jacobi_sweep(Grid *) [{src/jacobi.c} {42,0}]",
  "limit_flux [{/src/flux.f90} {201,0}] ",
  "norm2(double const *, int) [{src/blas.c} {29,1}-{36,1}] ",
  "pack_halo(Grid *, double *) [{src/halo.c} {71,1}-{90,1}] ",
  "precondition() ",
  "residual(Grid const *) [{src/jacobi.c} {61,1}-{88,1}] ",
  "update_ghosts(Grid *) ",
};

enum
{
  ROW_UNKNOWN,
  ROW_APPLICATION,
  ROW_MAIN,
  ROW_SOLVE,
  ROW_STEP,
  ROW_INIT,
  ROW_COMM_RANK,
  ROW_COMM_SIZE,
  ROW_FINALIZE,
  ROW_SEND,
  ROW_ISEND,
  ROW_RECV,
  ROW_IRECV,
  ROW_WAITALL,
  ROW_ALLREDUCE,
  ROW_SYNC,
  ROW_BARRIER,
  ROW_BCAST,
  ROW_LOOP,
  ROW_WRITE,
  ROW_OFFSET,
  ROW_RESIDUAL,
  ROW_HEAP,
  ROW_QUOTED,
  ROW_SENT,
  ROW_RECEIVED,
  ROW_REDUCED,
  ROW_WRITTEN,
  ROW_EV_INIT,
  ROW_FLUSH,
  ROW_FLUSH_CLOSE,
  ROW_FLUSH_INITM,
  ROW_WALL_CLOCK,
  ROW_CONT_EVENT,
  ROW_MESSAGE_SEND,
  ROW_MESSAGE_RECV,
  N_ROWS,
};

static const struct
{
  const char *group;
  int tag;
  const char *name, *params;
  guint id;
} rows[N_ROWS] = {
  [ROW_UNKNOWN] = { "TAUEVENT", 0, ".TAU <unknown event>", "TriggerValue", 0 },
  [ROW_APPLICATION] = { "TAU_UTILITY", 0, ".TAU application ", "EntryExit", 0 },
  [ROW_MAIN] = { "TAU_DEFAULT", 0, "main int (int, char **)", "EntryExit", 0 },
  [ROW_SOLVE] = { "TAU_USER", 0, "solve(Grid *, int) [{src/jacobi.c} {90,1}-{160,1}] ", "EntryExit", 0 },
  [ROW_STEP] = { "TAU_USER1", 0, "time step ", "EntryExit", 0 },
  [ROW_INIT] = { "MPI", 0, "MPI_Init()  ", "EntryExit", 0 },
  [ROW_COMM_RANK] = { "MPI", 0, "MPI_Comm_rank()  ", "EntryExit", 0 },
  [ROW_COMM_SIZE] = { "MPI", 0, "MPI_Comm_size()  ", "EntryExit", 0 },
  [ROW_FINALIZE] = { "MPI", 0, "MPI_Finalize()  ", "EntryExit", 0 },
  [ROW_SEND] = { "MPI", 0, "MPI_Send()  ", "EntryExit", 0 },
  [ROW_ISEND] = { "MPI", 0, "MPI_Isend()  ", "EntryExit", 0 },
  [ROW_RECV] = { "MPI", 0, "MPI_Recv()  ", "EntryExit", 0 },
  [ROW_IRECV] = { "MPI", 0, "MPI_Irecv()  ", "EntryExit", 0 },
  [ROW_WAITALL] = { "MPI", 0, "MPI_Waitall()  ", "EntryExit", 0 },
  [ROW_ALLREDUCE] = { "MPI", 0, "MPI_Allreduce()  ", "EntryExit", 0 },
  [ROW_SYNC] = { "MPI", 0, "MPI Collective Sync  ", "EntryExit", 0 },
  [ROW_BARRIER] = { "MPI", 0, "MPI_Barrier()  ", "EntryExit", 0 },
  [ROW_BCAST] = { "MPI", 0, "MPI_Bcast()  ", "EntryExit", 0 },
  [ROW_LOOP] = { "OpenMP", 0, "parallelfor (loop body) [OpenMP location: file:src/jacobi.c <70, 84>] ", "EntryExit",
                 0 },
  [ROW_WRITE] = { "TAU_IO", 0, "fwrite() ", "EntryExit", 0 },
  [ROW_OFFSET] = { "TAUEVENT", 0, "TauTraceClockOffsetStart", "TriggerValue", 0 },
  [ROW_RESIDUAL] = { "TAUEVENT", 0, "Residual x1000", "TriggerValue", 0 },
  [ROW_HEAP] = { "TAUEVENT", 0, "Heap Memory Used (KB)", "TriggerValue", 0 },
  [ROW_QUOTED] = { "TAUEVENT", 0, "loop \"quoted\" value", "TriggerValue", 0 },
  [ROW_SENT] = { "TAUEVENT", 0, "Message size sent to all nodes", "TriggerValue", 0 },
  [ROW_RECEIVED] = { "TAUEVENT", 0, "Message size received from all nodes", "TriggerValue", 0 },
  [ROW_REDUCED] = { "TAUEVENT", 0, "Message size for all-reduce", "TriggerValue", 0 },
  [ROW_WRITTEN] = { "TAUEVENT", 0, "Bytes Written <file=\"checkpoint.dat\">", "TriggerValue", 0 },
  [ROW_EV_INIT] = { "TRACER", 0, "EV_INIT", "none", 60000 },
  [ROW_FLUSH] = { "TRACER", 0, "FLUSH", "EntryExit", 60001 },
  [ROW_FLUSH_CLOSE] = { "TRACER", 0, "FLUSH_CLOSE", "none", 60003 },
  [ROW_FLUSH_INITM] = { "TRACER", 0, "FLUSH_INITM", "none", 60004 },
  [ROW_WALL_CLOCK] = { "TRACER", 0, "WALL_CLOCK", "none", 60005 },
  [ROW_CONT_EVENT] = { "TRACER", 0, "CONT_EVENT", "none", 60006 },
  [ROW_MESSAGE_SEND] = { "TAU_MESSAGE", -7, "MESSAGE_SEND", "par", 60007 },
  [ROW_MESSAGE_RECV] = { "TAU_MESSAGE", -8, "MESSAGE_RECV", "par", 60008 },
};

static const char *const metric_names[MAX_METRICS] = { "PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_L2_TCM", "PAPI_FP_OPS" };
