/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What became of the records of a trace: how far numbers that rest on them can be trusted.
 *
 * Spans carry what was done to them as flags; what was not kept is counted as repairs. Both are told in the same words,
 * for all formats.
 */
#pragma once

#include "src/trace/event.h"
#include "src/trace/repairs.h"

typedef enum
{
  TT_TRUST_MENDED,   /* a value of it was changed */
  TT_TRUST_SKIPPED,  /* it is in the file, and was not kept */
  TT_TRUST_BOUNDED,  /* its end is not known, but a time before which it lies */
  TT_TRUST_INFERRED, /* its begin or end is taken from others */
  TT_TRUST_LOST,     /* it is known to be missing; files: their ends, or all of them */
  TT_TRUST_DOUBTFUL, /* it is as the source has it, and hardly true */
  TT_N_TRUST_FATES,
} TtTrustFate;

typedef enum
{
  TT_TRUST_RECORD, /* of a file, whatever it would have been */
  TT_TRUST_SPAN,
  TT_TRUST_INSTANT,
  TT_TRUST_COUNTER,
  TT_TRUST_MESSAGE, /* halves: sends and receives */
  TT_TRUST_FLOW,
  TT_TRUST_ARGUMENTS,
  TT_TRUST_METRIC,
  TT_TRUST_DEFINITION,
  TT_TRUST_FILE,
  TT_N_TRUST_KINDS,
} TtTrustKind;

/* "span"; "mended". */
const char *tt_trust_kind_text (TtTrustKind kind);
const char *tt_trust_fate_text (TtTrustFate fate);

/* Spans with one of these do not have the times that their source tells. */
#define TT_TRUST_FLAGS (TT_FLAG_UNCLOSED | TT_FLAG_INFERRED | TT_FLAG_END_BEFORE_START | TT_FLAG_SELF_CLAMPED)
/* Of a span with one of these. */
TtTrustFate tt_trust_of_flags (guint32 flags);
/* FALSE: nothing is wrong with the record, or the flags of a span tell it. */
gboolean tt_trust_of_repair (TtRepairKind repair, TtTrustKind *kind, TtTrustFate *fate);
