/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the files that run AMD's kernels: a wave and its registers, instructions with what runs them.
 */
#pragma once

#include "src/gpu/gcn/launch.h"
#include "src/gpu/regions.h"

/* Places of scalar registers. */
#define TT_GCN_VCC_PLACE 106u
#define TT_GCN_M0_PLACE 124u
#define TT_GCN_EXEC_PLACE 126u
#define TT_GCN_N_PLACES 128u
#define TT_GCN_CODE_BASE G_GUINT64_CONSTANT (0x7d0000000000)
#define TT_GCN_GLOBAL_BASE G_GUINT64_CONSTANT (0x7e0000000000)
#define TT_GCN_MAX_BLOCK 1024u
#define TT_GCN_MAX_SHARED 65536u
#define TT_GCN_MAX_PENDING 128u

typedef struct _TtGcnOp TtGcnOp;
typedef struct _TtGcnWave TtGcnWave;

/* What an operand is: letters of a form.
 *   w q: 32 and 64 bits   f d: f32, f64   m: of each lane one bit of a scalar pair   o: 128 bits in registers (memory only)
 */
typedef struct
{
  guint64 in[3];
  gboolean bit, carry; /* m in and out: of this lane, or of SCC */
  const TtGcnWave *wave;
  guint lane;
} TtGcnValues;

typedef guint64 (*TtGcnCompute) (TtGcnValues *values);

typedef struct
{
  const char *name; /* without _e32 and _e64 */
  const char *form; /* "w=ww": result, then what is read; "wm=wwm" has a carry out of and into it */
  TtGcnCompute compute;
  char scc; /* scalar: 'n' not 0, 'c' the carry, 'r' the result alone goes there; '-' stays */
} TtGcnAlu;

typedef enum
{
  TT_GCN_COUNT_VECTOR, /* vmcnt */
  TT_GCN_COUNT_LDS,    /* lgkmcnt, in order */
  TT_GCN_COUNT_SCALAR, /* lgkmcnt, in any order */
} TtGcnCount;

/* A load whose registers nobody may touch yet, or a store. */
typedef struct
{
  TtGcnCount count;
  gboolean is_vector;
  guint first, n; /* registers; n 0: none */
  guint32 line;
} TtGcnPending;

typedef enum
{
  TT_GCN_RUNS,
  TT_GCN_AT_BARRIER,
  TT_GCN_ENDED,
} TtGcnState;

struct _TtGcnWave
{
  guint32 scalars[TT_GCN_N_PLACES];
  guint32 (*vectors)[TT_GCN_WAVE]; /* 512: accumulators are behind */
  gboolean scc;
  guint pc, index, n_threads;
  TtGcnState state;
  /* Waiting: in wait states since the wave began. */
  guint64 now;
  guint64 scalar_by_vector[TT_GCN_N_PLACES]; /* when a vector instruction wrote it; 0: never */
  guint64 exec_by_vector;
  guint64 vector_by_vector[2 * TT_GCN_N_VECTORS];
  guint64 vector_by_trans[2 * TT_GCN_N_VECTORS];
  guint64 vector_stored[2 * TT_GCN_N_VECTORS]; /* when more than 8 bytes were stored from there */
  TtGcnPending pending[TT_GCN_MAX_PENDING];
  guint n_pending;
};

typedef void (*TtGcnRun) (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op);

struct _TtGcnOp
{
  const TtGcnInstruction *source;
  TtGcnRun run;
  const TtGcnAlu *alu;
  guint bytes;      /* that memory instructions move for a lane */
  guint target;     /* of a branch */
  guint64 constant; /* what a symbol is */
  guint8 detail;    /* of a kind that its file knows */
  gboolean is_trans;
};

struct _TtGcnLaunch
{
  const TtGcnModule *module;
  const TtGcnKernel *kernel;
  const char *name;
  gboolean is_gfx942;
  TtGcnOp *ops;
  guint n_ops;
  TtGpuRegions regions;
  GHashTable *places; /* TtGcnData -> base of its region + 1 */
  guint8 *arguments, *packet;
  guint64 arguments_address, packet_address;
  guint n_explicit;
  gboolean *has_argument;
  guint grid[3], block[3];
  guint64 shared_dynamic, shared_bytes;
  guint8 *shared;
  guint64 max_steps, n_steps, n_thread_steps;
  guint block_id[3];
  guint64 block_index;
  TtGcnWave *waves;
  guint n_waves;
  const TtGcnOp *op; /* that is run */
  GError *fault;
};

#define tt_gcn_exec(wave) ((wave)->scalars[TT_GCN_EXEC_PLACE] | (guint64) (wave)->scalars[TT_GCN_EXEC_PLACE + 1] << 32)

/* -- decode.c -- */
/* FALSE with @error: one cannot be run. */
gboolean tt_gcn_decode (TtGcnLaunch *self, GError **error);

/* -- registers.c -- */
/* The first of its scalar registers; only of what is one. */
guint tt_gcn_place (const TtGcnOperand *operand);
/* By a letter of a form. */
guint64 tt_gcn_read (const TtGcnOp *op, const TtGcnWave *wave, const TtGcnOperand *operand, guint lane, char letter);
void tt_gcn_write (TtGcnWave *wave, const TtGcnOperand *operand, guint lane, guint64 value, gboolean is_wide);
guint64 tt_gcn_read_scalar (const TtGcnWave *wave, guint place, gboolean is_wide);
void tt_gcn_write_scalar (TtGcnWave *wave, guint place, guint64 value, gboolean is_wide);

/* -- memory.c -- */
void tt_gcn_fault (TtGcnLaunch *self, const TtGcnWave *wave, const char *format, ...) G_GNUC_PRINTF (3, 4);
guint8 *tt_gcn_bytes (TtGcnLaunch *self, const TtGcnWave *wave, guint64 address, guint bytes, gboolean is_store);

/* -- waits.c -- */
/* What the wave must have waited for before @op, and what waits from then on. */
void tt_gcn_check_waits (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op);
void tt_gcn_add_pending (TtGcnLaunch *self, TtGcnWave *wave, TtGcnCount count, const TtGcnOperand *loaded);
void tt_gcn_wait (TtGcnWave *wave, guint vmcnt, guint lgkmcnt);

/* -- instructions: FALSE: this file knows none of that name. -- */
gboolean tt_gcn_decode_scalar (TtGcnOp *op, const char *name);
gboolean tt_gcn_decode_vector (TtGcnOp *op, const char *name);
gboolean tt_gcn_decode_memory (TtGcnOp *op, const char *name);
/* The functions of integers and reals that vector instructions are. */
extern const TtGcnAlu tt_gcn_integers[], tt_gcn_reals[]; /* ended by a NULL name */
