/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPtxModule: the text of a PTX module, taken apart.
 *
 * Every name is resolved in its scope, every instruction and operand knows its place in the text, so that a program can
 * be run (src/gpu/run) as well as added to (src/gpu/weave). What instructions mean is not known here: one that no
 * machine has is read like any other. Everything belongs to the module.
 */
#pragma once

#include "formats/ptx/type.h"

#define TT_PTX_MAX_BYTES (16u * 1024u * 1024u)
#define TT_PTX_MAX_REGISTERS (1u << 20) /* of all functions */
#define TT_PTX_MAX_VARIABLE (1u << 26)  /* bytes */
#define TT_PTX_NO_REGISTER G_MAXUINT

/* An address within an initial value. */
typedef struct
{
  guint64 offset;
  const char *name; /* of a variable or function */
  guint64 addend;
  guint bytes;
  gboolean is_generic;
  guint line;
} TtPtxFixup;

typedef struct
{
  const char *name;
  TtPtxSpace space;
  TtPtxType type;
  guint64 align, bytes; /* bytes 0: of a size that the launch gives */
  gboolean is_extern;
  guint8 *initial; /* `bytes` of them; NULL: zeros */
  GArray *fixups;  /* of TtPtxFixup; NULL: none */
  guint line;
  guint64 offset; /* for those who place it */
} TtPtxVariable;

typedef enum
{
  TT_PTX_REGISTER, /* reg */
  TT_PTX_SPECIAL,  /* name: "%tid.x" */
  TT_PTX_INTEGER,  /* value */
  TT_PTX_FLOAT32,  /* value: its bits */
  TT_PTX_FLOAT64,
  TT_PTX_NAME,    /* name, and variable, label or neither; plus value */
  TT_PTX_ADDRESS, /* [items[0] + value], of one item */
  TT_PTX_VECTOR,  /* {items} */
  TT_PTX_LIST,    /* (items) */
  TT_PTX_PAIR,    /* items[0]|items[1] */
  TT_PTX_SINK,    /* _ */
  TT_PTX_OTHER,   /* of instructions on textures and tensors */
} TtPtxOperandKind;

typedef struct _TtPtxOperand TtPtxOperand;
struct _TtPtxOperand
{
  TtPtxOperandKind kind;
  gboolean is_inverted; /* !%p */
  guint reg;
  guint64 value;
  const char *name;
  const TtPtxVariable *variable;
  guint label; /* index of an instruction; G_MAXUINT: no label */
  guint32 start, end;
  TtPtxOperand *items;
  guint n_items;
};

typedef struct
{
  guint32 start, body, end; /* in the text: of the guard, of what follows it, behind the ; */
  guint line;
  guint guard; /* register */
  gboolean guard_is_inverted;
  guint scope;
  const char *opcode; /* "ld.global.u32" */
  TtPtxOperand *operands;
  guint n_operands;
} TtPtxInstruction;

typedef struct
{
  const char *stem; /* "%r" of "%r<12>" */
  guint number;     /* G_MAXUINT: the stem is the name */
  TtPtxType type;
} TtPtxRegister;

typedef struct
{
  const char *name;
  gboolean is_entry, has_body;
  guint line;
  GPtrArray *params, *results;      /* of TtPtxVariable */
  GPtrArray *variables;             /* of TtPtxVariable, declared in the body */
  GArray *registers;                /* of TtPtxRegister */
  GArray *instructions;             /* of TtPtxInstruction */
  GArray *scopes;                   /* of guint: the scope around each; 0 is that of the function */
  GHashTable *prototypes;           /* names of labels before .callprototype and .branchtargets */
  guint required[3];                /* .reqntid; 0: none */
  guint32 params_start, params_end; /* of ( and behind ); equal: there are none, and this is where they would be */
  guint32 body_start, body_end;     /* behind { and of } */
} TtPtxFunction;

typedef struct
{
  char *text;
  gsize len;
  const char *target; /* "sm_80" */
  guint version;      /* 10 * major + minor */
  guint address_size;
  GPtrArray *variables; /* of TtPtxVariable */
  GPtrArray *functions; /* of TtPtxFunction, those without a body too */
  GHashTable *words;    /* every name in the text */
  gpointer arena;
} TtPtxModule;

/* @name: of the file, for messages. The text is copied. */
TtPtxModule *tt_ptx_module_new (const char *name, const char *text, gsize len, GError **error);
void tt_ptx_module_free (TtPtxModule *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPtxModule, tt_ptx_module_free)

/* By name; one with a body if there is one. NULL: none. */
const TtPtxFunction *tt_ptx_module_function (const TtPtxModule *self, const char *name);
const TtPtxVariable *tt_ptx_module_variable (const TtPtxModule *self, const char *name);
/* The kernel @name; NULL: the only one. */
const TtPtxFunction *tt_ptx_module_entry (const TtPtxModule *self, const char *name, GError **error);

#define tt_ptx_function_at(self, i) (&g_array_index ((self)->instructions, TtPtxInstruction, (i)))
#define tt_ptx_register_at(self, i) (&g_array_index ((self)->registers, TtPtxRegister, (i)))

/* Whether @opcode is @name, alone or with modifiers behind it. */
gboolean tt_ptx_opcode_is (const char *opcode, const char *name);
