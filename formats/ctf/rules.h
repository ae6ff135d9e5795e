/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the events of tracers mean: pairs of events that make a span, and events that are facts of their own.
 *
 * Rows of PInsight follow its tracepoint definitions (ompt_pinsight_lttng_ust and the others; in traces of 2017-18 the
 * provider of MPI calls is lttng_pinsight_mpi). Rows without a provider serve every other tracer.
 */
#pragma once

#include "src/trace/activity.h"

/* Kinds of spans: an end closes the innermost open span of its kind and its name. Bits, for sets of them. */
typedef enum
{
  TT_CTF_PARALLEL = 1 << 0,
  TT_CTF_TASK = 1 << 1,
  TT_CTF_WORK = 1 << 2,
  TT_CTF_MASKED = 1 << 3,
  TT_CTF_BARRIER = 1 << 4,
  TT_CTF_BARRIER_WAIT = 1 << 5,
  TT_CTF_JOIN = 1 << 6,
  TT_CTF_JOIN_WAIT = 1 << 7,
  TT_CTF_LIFE = 1 << 8, /* of a thread or process: bookends that tracers often lose */
  TT_CTF_MPI = 1 << 9,
  TT_CTF_DEVICE_CALL = 1 << 10,
  TT_CTF_FUNCTION = 1 << 11,
  TT_CTF_OTHER_SPAN = 1 << 12,
} TtCtfSpanKind;

/* What a number in a field stands for. */
typedef struct
{
  gint64 number;
  const char *word;
} TtCtfWord;

/* A pair of events that makes a span. Where versions of a tracer name a field differently, its name is "a|b". */
typedef struct
{
  const char *provider; /* NULL: any */
  const char *begin;    /* event without provider; one '*' stands for any text, the same in `end` */
  const char *end;
  TtCtfSpanKind kind;
  const char *op_cat;   /* NULL: the name rules decide */
  const char *op;       /* '*': the same text; NULL: the event's */
  const char *op_field; /* the text of this field is the name */
  const char *sub_op;
  const char *sub_field; /* sub_op by the number in this field of the begin */
  const TtCtfWord *words;
  const char *zero_op;   /* name where the code pointer is 0 */
  const char *codeptr;   /* field of the begin: the place in the program */
  const char *match[2];  /* fields that begin and end have in common, where both have them */
  const char *end_field; /* of the end, in place of the begin's */
  guint closes;          /* kinds that a begin closes: their ends are missing */
  guint fences;          /* kinds that limit the search: ends and `closes` look above the innermost span of them only */
  gboolean starts_work;  /* on a device, whose activity is another event */
  TtActivityRole role;   /* of a call to a device's library */
  gboolean blocks;       /* the call returns when its work is done */
  gboolean nests;        /* may be open within itself; else a begin closes the one that is open */
} TtCtfSpanRule;

typedef enum
{
  TT_CTF_ACTIVITY,    /* a whole span on a device */
  TT_CTF_CALIBRATION, /* one moment on two clocks */
  TT_CTF_ENERGY,      /* counters */
  TT_CTF_MANIFEST_PROCESS,
  TT_CTF_MANIFEST_VALUE,
} TtCtfFactKind;

typedef struct
{
  const char *provider, *event;
  TtCtfFactKind kind;
  const char *op_cat, *op; /* of an activity; op NULL: the text of op_field */
  const char *op_field;
  const char *sub_field;
  const TtCtfWord *words;
  const char *begin_field, *end_field; /* of an activity; of a calibration: time of the host, of the device */
  const char *device_field, *stream_field, *correlation_field;
  TtActivityRole role; /* of an activity */
} TtCtfFactRule;

typedef struct
{
  const TtCtfSpanRule *rule;
  gboolean is_begin;
  char *stem;    /* what '*' stands for, or NULL; free it */
  char *partner; /* the other event with its provider; free it */
} TtCtfSpanMatch;

/* The rule for the event @name ("provider:event"), of a trace that declares the events @names; rule NULL: none. @more: rules
 * of the user (of TtCtfSpanRule), which are asked first, and name events with their providers; NULL: none. */
TtCtfSpanMatch tt_ctf_span_rule (const char *name, GHashTable *names, const GArray *more);
const TtCtfFactRule *tt_ctf_fact_rule (const char *name);
/* NULL: no word for it. */
const char *tt_ctf_word (const TtCtfWord *words, gint64 number);
