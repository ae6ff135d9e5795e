/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfStep: what a plan (plan.h) does for a field, or for several. Made by plan.c, run by plan-run.c, for nobody else.
 */
#pragma once

#include "formats/ctf/plan.h"

typedef enum
{
  TT_CTF_READ_ALIGN, /* to a structure */
  TT_CTF_READ_SKIP,  /* what is not shown */
  TT_CTF_READ_BYTES, /* an integer of 8, 16, 32 or 64 bits, in whole bytes, which says nothing to others; or such a real */
  TT_CTF_READ_RUN, /* several of those, and alignments that change nothing, from a place of the first one's alignment on */
  TT_CTF_READ_NUMBER, /* any integer */
  TT_CTF_READ_REAL,
  TT_CTF_READ_STRING, /* a text in UTF-8 up to its NUL */
  TT_CTF_READ_CHARS,  /* one of n_bytes */
  TT_CTF_READ_TEXT,   /* any other */
  TT_CTF_READ_JSON,
  TT_CTF_READ_UNUSED, /* a text or JSON that has a slot, and nobody asks for */
} TtCtfStepKind;

/* How the bytes of a value become what a slot holds. */
typedef enum
{
  TT_CTF_LOAD_UNSIGNED_8,
  TT_CTF_LOAD_UNSIGNED_16,
  TT_CTF_LOAD_UNSIGNED_32,
  TT_CTF_LOAD_ANY_64,
  TT_CTF_LOAD_SIGNED_8,
  TT_CTF_LOAD_SIGNED_16,
  TT_CTF_LOAD_SIGNED_32,
  TT_CTF_LOAD_REAL_32,
} TtCtfLoad;

/* A value of a run. */
typedef struct
{
  guint8 load, is_big_endian, is_signed;
  guint8 shift;   /* of a word that begins with it: bits that are not its own */
  guint16 offset; /* from the begin of the run, in bytes */
} TtCtfStepField;

#define TT_CTF_MAX_RUN_BYTES 4096u
/* As in values.c. */
#define TT_CTF_MAX_TEXT_BYTES ((gsize) 1 << 16)

struct _TtCtfStep
{
  TtCtfStepKind kind;
  guint n_bytes;
  TtCtfStepField field; /* of BYTES */
  guint64 mask;         /* of the alignment */
  const TtCtfType *type;
  const TtCtfStepField *fields; /* of RUN: in TtCtfPlan.fields */
  guint n_fields;
  gboolean has_short_real; /* a field is one of 32 bits */
};
