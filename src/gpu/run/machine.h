/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the files that run kernels: decoded instructions, threads, memory.
 */
#pragma once

#include "src/base/int128.h"
#include "src/gpu/run/launch.h"

/* Where a generic address points. Addresses within shared and local memory count from 0. */
#define TT_GPU_SHARED_WINDOW G_GUINT64_CONSTANT (0x7a0000000000)
#define TT_GPU_LOCAL_WINDOW G_GUINT64_CONSTANT (0x7b0000000000)
#define TT_GPU_PARAM_WINDOW G_GUINT64_CONSTANT (0x7c0000000000)
#define TT_GPU_CODE_WINDOW G_GUINT64_CONSTANT (0x7d0000000000)
#define TT_GPU_GLOBAL_WINDOW G_GUINT64_CONSTANT (0x7e0000000000)
#define TT_GPU_WINDOW_BYTES G_GUINT64_CONSTANT (0x10000000000)
#define TT_GPU_PARAM_FRAME 65536u /* addresses of parameters: so many for a call */
#define TT_GPU_MAX_DEPTH 64u      /* of calls */
#define TT_GPU_MAX_LOCAL (1u << 19)
#define TT_GPU_MAX_FRAME_BYTES (G_GUINT64_CONSTANT (1) << 30) /* of all calls in a block */
#define TT_GPU_N_BARRIERS 16u
#define TT_GPU_MAX_OPERANDS 6u
#define TT_GPU_MAX_VECTORS 4u
#define TT_GPU_N_UNITS 16u /* multiprocessors: block b is on b modulo that */

typedef enum
{
  TT_GPU_NOTHING,
  TT_GPU_REGISTER, /* reg */
  TT_GPU_VALUE,    /* value */
  TT_GPU_SPECIAL,  /* reg: TtGpuSpecial */
  TT_GPU_LOCAL,    /* address in this call's local memory: value */
  TT_GPU_PARAM,    /* address in this call's parameters: value */
  TT_GPU_SINK,
} TtGpuOperandKind;

typedef struct
{
  guint8 kind, bits; /* bits: of a register */
  gboolean is_inverted;
  guint32 reg;
  guint64 value; /* of an address with a register: what is added */
} TtGpuOperand;

typedef enum
{
  TT_GPU_TID_X,
  TT_GPU_TID_Y,
  TT_GPU_TID_Z,
  TT_GPU_NTID_X,
  TT_GPU_NTID_Y,
  TT_GPU_NTID_Z,
  TT_GPU_CTAID_X,
  TT_GPU_CTAID_Y,
  TT_GPU_CTAID_Z,
  TT_GPU_NCTAID_X,
  TT_GPU_NCTAID_Y,
  TT_GPU_NCTAID_Z,
  TT_GPU_LANEID,
  TT_GPU_WARPID,
  TT_GPU_NWARPID,
  TT_GPU_SMID,
  TT_GPU_NSMID,
  TT_GPU_GRIDID,
  TT_GPU_LANEMASK_EQ,
  TT_GPU_LANEMASK_LE,
  TT_GPU_LANEMASK_LT,
  TT_GPU_LANEMASK_GE,
  TT_GPU_LANEMASK_GT,
  TT_GPU_CLOCK,
  TT_GPU_CLOCK_HI,
  TT_GPU_CLOCK64,
  TT_GPU_GLOBALTIMER,
  TT_GPU_GLOBALTIMER_LO,
  TT_GPU_GLOBALTIMER_HI,
  TT_GPU_DYNAMIC_SHARED,
  TT_GPU_TOTAL_SHARED,
  TT_GPU_ZERO,
  TT_GPU_ONE,
  TT_GPU_N_SPECIALS,
} TtGpuSpecial;

/* Modifiers of instructions, by what they say. */
typedef enum
{
  TT_GPU_TYPE, /* one of TtPtxType; up to two */
  TT_GPU_ROUND,
  TT_GPU_FTZ,
  TT_GPU_SAT,
  TT_GPU_APPROX, /* and .full */
  TT_GPU_COMPARE,
  TT_GPU_BOOLEAN, /* and, or, xor: of comparisons and atomics */
  TT_GPU_SPACE,
  TT_GPU_VECTOR,
  TT_GPU_CACHE, /* says nothing about values */
  TT_GPU_PART,  /* lo, hi, wide */
  TT_GPU_UNIFORM,
  TT_GPU_ATOMIC, /* add, exch, cas, ... */
  TT_GPU_MODE,   /* what only one instruction has: up, bfly, ballot, wrap, f4e ... */
  TT_GPU_TO,
  TT_GPU_CARRY,
  TT_GPU_NAN,
  TT_GPU_RELU,
  TT_GPU_N_CLASSES,
} TtGpuClass;

typedef enum
{
  TT_GPU_RN,
  TT_GPU_RZ,
  TT_GPU_RM,
  TT_GPU_RP,
  TT_GPU_RNI,
  TT_GPU_RZI,
  TT_GPU_RMI,
  TT_GPU_RPI,
  TT_GPU_RNA
} TtGpuRound;
typedef enum
{
  TT_GPU_EQ,
  TT_GPU_NE,
  TT_GPU_LT,
  TT_GPU_LE,
  TT_GPU_GT,
  TT_GPU_GE,
  TT_GPU_EQU,
  TT_GPU_NEU,
  TT_GPU_LTU,
  TT_GPU_LEU,
  TT_GPU_GTU,
  TT_GPU_GEU,
  TT_GPU_NUM,
  TT_GPU_IS_NAN,
  TT_GPU_LO,
  TT_GPU_LS,
  TT_GPU_HI,
  TT_GPU_HS,
} TtGpuCompare;
typedef enum
{
  TT_GPU_AND = 1,
  TT_GPU_OR,
  TT_GPU_XOR
} TtGpuBoolean;
typedef enum
{
  TT_GPU_PART_LO = 1,
  TT_GPU_PART_HI,
  TT_GPU_PART_WIDE
} TtGpuPart;
typedef enum
{
  TT_GPU_ATOMIC_ADD = 1,
  TT_GPU_ATOMIC_MIN,
  TT_GPU_ATOMIC_MAX,
  TT_GPU_ATOMIC_INC,
  TT_GPU_ATOMIC_DEC,
  TT_GPU_ATOMIC_EXCH,
  TT_GPU_ATOMIC_CAS,
  TT_GPU_ATOMIC_AND,
  TT_GPU_ATOMIC_OR,
  TT_GPU_ATOMIC_XOR,
} TtGpuAtomic;
typedef enum
{
  TT_GPU_UP = 1,
  TT_GPU_DOWN,
  TT_GPU_BFLY,
  TT_GPU_IDX,
  TT_GPU_ALL,
  TT_GPU_ANY,
  TT_GPU_UNI,
  TT_GPU_BALLOT,
  TT_GPU_WRAP,
  TT_GPU_CLAMP,
  TT_GPU_LEFT,
  TT_GPU_RIGHT,
  TT_GPU_F4E,
  TT_GPU_B4E,
  TT_GPU_RC8,
  TT_GPU_ECL,
  TT_GPU_ECR,
  TT_GPU_RC16,
  TT_GPU_SHIFTAMT,
  TT_GPU_SYNC,
  TT_GPU_ARRIVE,
  TT_GPU_RED,
  TT_GPU_WARP_SYNC,
  TT_GPU_FINITE,
  TT_GPU_INFINITE,
  TT_GPU_NUMBER,
  TT_GPU_NOTANUMBER,
  TT_GPU_NORMAL,
  TT_GPU_SUBNORMAL,
  TT_GPU_POPC,
  TT_GPU_ALIGNED,
} TtGpuMode;

/* Matrices that a warp multiplies: the type of the factors, how deep they are, and the type of sums, if it is not f32. */
typedef enum
{
  TT_GPU_F16_16,
  TT_GPU_BF16_16,
  TT_GPU_F16_8,
  TT_GPU_BF16_8,
  TT_GPU_TF32_8,
  TT_GPU_TF32_4,
  TT_GPU_F16_16_F16,
  TT_GPU_F16_8_F16,
  TT_GPU_N_SHAPES,
} TtGpuShape;

typedef struct _TtGpuOp TtGpuOp;
typedef struct _TtGpuOpcode TtGpuOpcode;
typedef struct _TtGpuThread TtGpuThread;
typedef struct _TtGpuWarp TtGpuWarp;
typedef struct _TtGpuFunction TtGpuFunction;

struct _TtGpuOp
{
  const TtGpuOpcode *opcode;
  const TtPtxInstruction *source;
  TtPtxType type, from; /* from: the second one; the same where there is one */
  guint8 is_set[TT_GPU_N_CLASSES];
  guint8 value[TT_GPU_N_CLASSES]; /* of each class that is set, the last */
  guint8 mode2;                   /* the second of modes */
  guint32 guard;
  gboolean guard_is_inverted;
  TtGpuOperand operands[TT_GPU_MAX_OPERANDS]; /* destination first */
  TtGpuOperand *vector[TT_GPU_MAX_VECTORS];   /* of the first operands that are vectors, by their place */
  guint n_vector[TT_GPU_MAX_VECTORS];
  guint n; /* operands */
  TtGpuOperand *arguments;
  guint n_results, n_arguments; /* of a call: results, then arguments, offsets in parameters */
  const TtGpuFunction *callee;
  guint target; /* of a branch */
};

struct _TtGpuOpcode
{
  const char *name;
  guint32 classes;      /* that it may have: bits by TtGpuClass */
  const char *operands; /* a letter each; decode.c */
  guint8 detail;        /* a TtGpuMode that the name has */
  /* One of these. */
  guint64 (*pure) (const TtGpuOp *op, const guint64 *in);
  void (*lane) (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op);
  void (*group) (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOp *op);
};

struct _TtGpuFunction
{
  const TtPtxFunction *source;
  TtGpuOp *ops;
  guint n_ops, n_registers, index;
  guint param_bytes, results_bytes, local_bytes;
};

typedef struct
{
  const TtGpuFunction *function;
  guint pc;
  guint64 *registers;
  guint8 *params;                 /* formals and those declared in the body */
  guint local_base, local_before; /* before: bytes of local memory of the callers */
} TtGpuFrame;

typedef enum
{
  TT_GPU_RUNS,
  TT_GPU_AT_BARRIER,
  TT_GPU_AT_WARP_BARRIER, /* and at all instructions that a mask of threads does together */
  TT_GPU_ENDED,
} TtGpuState;

struct _TtGpuThread
{
  TtGpuFrame frames[TT_GPU_MAX_DEPTH];
  guint depth; /* the last frame */
  TtGpuState state;
  guint barrier, n_expected;
  guint32 member_mask;
  guint64 value; /* what it brings to a barrier */
  gboolean carry;
  const TtGpuOp *waiting; /* the instruction of its barrier */
  guint tid[3];
  guint index; /* in the block */
  GByteArray *local;
  TtGpuWarp *warp;
};

struct _TtGpuWarp
{
  TtGpuThread *threads;
  guint n, index;
  guint64 n_in_row; /* instructions of the same threads, while others wait */
  guint32 last_mask;
};

struct _TtGpuLaunch
{
  const TtPtxModule *module;
  const char *name;
  GPtrArray *functions; /* of TtGpuFunction; 0 is the kernel */
  GHashTable *decoded;  /* TtPtxFunction -> TtGpuFunction */
  GHashTable *places;   /* TtPtxVariable -> address + 1, of globals and shared ones */
  GPtrArray *memory;    /* of operands, freed in the end */
  TtGpuRegions regions;
  guint grid[3], block[3];
  guint64 shared_static, shared_dynamic; /* bytes; what is dynamic begins at a multiple of 16 */
  guint8 *params;
  gboolean *has_param;
  guint8 *shared;
  guint64 frame_bytes;
  guint64 max_steps, n_steps, n_thread_steps;
  guint block_id[3];
  guint64 block_index;
  TtGpuThread *threads;
  guint n_threads;
  TtGpuWarp *warps;
  guint n_warps;
  guint n_arrived[TT_GPU_N_BARRIERS]; /* that do not wait */
  const TtGpuOp *op;                  /* that is run */
  GError *fault;                      /* the first one */
};

/* -- decode.c -- */
/* Its place among the functions; decoded later, if it is new. */
TtGpuFunction *tt_gpu_function_of (TtGpuLaunch *self, const TtPtxFunction *function);
/* All functions that are known by now, and those that they name. */
gboolean tt_gpu_decode (TtGpuLaunch *self, GError **error);
extern const TtGpuOpcode tt_gpu_opcodes[]; /* ended by a NULL name */
const TtGpuOpcode *tt_gpu_opcode_find (const char *name);
/* -- words.c -- */
/* FALSE: @word is no modifier of @classes (bits). */
gboolean tt_gpu_word_find (const char *word, guint32 classes, TtGpuClass *class, guint8 *value);
/* -1: there is none. */
int tt_gpu_special_find (const char *name);

/* -- values.c -- */
guint64 tt_gpu_read (const TtGpuLaunch *self, const TtGpuThread *thread, const TtGpuOperand *operand);
void tt_gpu_write (TtGpuThread *thread, const TtGpuOperand *operand, guint64 value);
guint tt_gpu_lane (const TtGpuThread *thread);

/* -- memory.c -- */
gboolean tt_gpu_place_variables (TtGpuLaunch *self, GError **error);
/* The bytes at @address; NULL: a fault is set. @does: "load" */
guint8 *tt_gpu_find_bytes (TtGpuLaunch *self,
                           TtGpuThread *thread,
                           TtPtxSpace space,
                           guint64 address,
                           guint bytes,
                           guint align,
                           const char *does);
/* Sets the fault of the instruction that is run, with its line and @thread. */
void tt_gpu_fault (TtGpuLaunch *self, const TtGpuThread *thread, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Bytes of shared memory. */
guint64 tt_gpu_shared_bytes (const TtGpuLaunch *self);
/* Where those begin that the launch gives. */
guint64 tt_gpu_dynamic_base (const TtGpuLaunch *self);

/* -- schedule.c -- */
gboolean tt_gpu_run_block (TtGpuLaunch *self, GError **error);
/* To the instruction behind. */
static inline TtGpuFrame *
tt_gpu_frame (TtGpuThread *thread)
{
  return &thread->frames[thread->depth];
}

/* -- instructions -- */
#define TT_GPU_PURE(name) guint64 tt_gpu_pure_##name (const TtGpuOp *op, const guint64 *in);
#define TT_GPU_LANE(name) void tt_gpu_lane_##name (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op);
#define TT_GPU_GROUP(name) \
  void tt_gpu_group_##name (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOp *op);
#include "src/gpu/run/instructions.h"
#undef TT_GPU_PURE
#undef TT_GPU_LANE
#undef TT_GPU_GROUP
