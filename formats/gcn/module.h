/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGcnModule: the assembly of AMD's GPUs as compilers write it (gfx90a, gfx942): instructions with their operands read,
 * labels found, and of each kernel its descriptor and arguments.
 *
 * Names of instructions are kept as they are: which there are whoever runs them knows.
 */
#pragma once

#include <glib.h>

#define TT_GCN_MAX_BYTES (G_GUINT64_CONSTANT (64) << 20)
#define TT_GCN_MAX_INSTRUCTIONS (1u << 20)
#define TT_GCN_MAX_OPERANDS 6u
#define TT_GCN_N_VECTORS 256u /* and as many accumulators */
#define TT_GCN_N_SCALARS 102u

typedef enum
{
  TT_GCN_NONE,
  TT_GCN_VECTOR, /* v[index : index + n - 1] */
  TT_GCN_ACCUM,
  TT_GCN_SCALAR,
  TT_GCN_VCC, /* index 1: its high half; n: 1 or 2 */
  TT_GCN_EXEC,
  TT_GCN_M0,
  TT_GCN_SCC,
  TT_GCN_NUMBER, /* value */
  TT_GCN_REAL,   /* real: what it is as bits the instruction knows */
  TT_GCN_OFF,
  TT_GCN_WORD, /* text: a label, a symbol with what is added, hwreg(...) */
} TtGcnOperandKind;

typedef struct
{
  guint8 kind, n;
  gboolean is_negated, is_absolute;
  guint index;
  gint64 value;
  double real;
  const char *text;
} TtGcnOperand;

typedef struct
{
  guint32 line;
  guint32 begin, end; /* places in the text */
  const char *name;
  TtGcnOperand operands[TT_GCN_MAX_OPERANDS];
  guint n;
  gint64 offset;
  guint offset0, offset1;
  guint vmcnt, lgkmcnt; /* of s_waitcnt; G_MAXUINT: it waits for none */
  gboolean returns;     /* glc, sc0 */
  const char *modifier; /* one that says more than these; NULL: none */
} TtGcnInstruction;

typedef struct
{
  guint64 offset, size;
  const char *kind; /* by_value, global_buffer, hidden_block_count_x ... */
  const char *name; /* NULL: none */
} TtGcnArgument;

typedef struct
{
  const char *name;
  guint entry;             /* its first instruction */
  GHashTable *descriptor;  /* "group_segment_fixed_size" -> guint64 */
  GArray *arguments;       /* of TtGcnArgument */
  gboolean has_descriptor; /* FALSE: only its arguments are known */
} TtGcnKernel;

typedef struct
{
  const char *name;
  GByteArray *bytes;
} TtGcnData;

typedef struct
{
  const char *target;   /* "gfx90a"; NULL: not said */
  GArray *instructions; /* of TtGcnInstruction */
  GPtrArray *kernels;   /* of TtGcnKernel */
  GHashTable *data;     /* name -> TtGcnData: constants */
  GHashTable *labels;   /* name -> index of an instruction + 1 */
  GHashTable *symbols;  /* of .set: name -> gint64 */
  GStringChunk *words;
} TtGcnModule;

/* Whether a text is such assembly, rather than PTX. */
gboolean tt_gcn_is_module (const char *text, gsize len);
/* @name: of the file, for messages. */
TtGcnModule *tt_gcn_module_new (const char *name, const char *text, gsize len, GError **error);
void tt_gcn_module_free (TtGcnModule *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtGcnModule, tt_gcn_module_free)

/* @name NULL: the only one. */
const TtGcnKernel *tt_gcn_module_kernel (const TtGcnModule *self, const char *name, GError **error);
/* Whether a runtime sets it, rather than who launches the kernel. */
gboolean tt_gcn_argument_is_hidden (const TtGcnArgument *argument);
/* A number of its descriptor; 0: it is not there. */
guint64 tt_gcn_kernel_number (const TtGcnKernel *self, const char *word);
/* Constants behind a label; NULL: there is no such label. */
const TtGcnData *tt_gcn_module_data (const TtGcnModule *self, const char *name);

#define tt_gcn_module_at(self, i) (&g_array_index ((self)->instructions, TtGcnInstruction, (i)))
