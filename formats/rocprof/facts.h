/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRocprofFacts: what a process of rocprofv3's file says once, beside its records: who it is, its agents (CPUs and
 * GPUs), the names of kinds, operations, kernels, counters and ranges. Records have only their numbers.
 *
 * Texts belong to it and live until the next call that asks for one of the same kind, or as said. Tables whose size the
 * file decides spill to temporary files. Of agents, kinds, operations and counters no more than some thousands are
 * kept: those beyond have no name.
 */
#pragma once

#include "formats/rocprof/counters.h"
#include "formats/rocprof/walk.h"
#include "src/trace/sink.h"

typedef struct
{
  gboolean is_gpu;
  gint64 index;    /* among the GPUs */
  char *name;      /* "AMD Instinct MI300X", or "gfx942" */
  char *target;    /* "gfx942" */
  guint32 process; /* TT_NO_ID: none yet; for the owner of the rows */
} TtRocprofAgent;

typedef struct
{
  char *text;    /* "hipLaunchKernel" */
  guint32 name;  /* for the owner of the rows, as the next: TT_NO_ID: not asked yet */
  guint32 flags; /* of an event */
  TtActivityRole role;
  gboolean blocks;
} TtRocprofOperation;

typedef struct
{
  guint64 name;                                                      /* a text: tt_rocprof_facts_text() */
  guint64 vector_registers, accumulator_registers, scalar_registers; /* 0: not said */
} TtRocprofKernel;

typedef struct _TtRocprofFacts TtRocprofFacts;

/* @repairs: borrowed. */
TtRocprofFacts *tt_rocprof_facts_new (TtRepairs *repairs);
void tt_rocprof_facts_free (TtRocprofFacts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRocprofFacts, tt_rocprof_facts_free)

/* Takes the value that comes next if @key is of a fact; FALSE: it is not, and nothing was read. */
gboolean tt_rocprof_facts_take (TtRocprofFacts *self, TtRocprofWalk *walk, const TtJsonValue *key);
/* Whether all that records may need has been there. */
gboolean tt_rocprof_facts_are_whole (const TtRocprofFacts *self);

/* Whether it lies about the time of the process, if that is said. */
gboolean tt_rocprof_facts_may_be_time (const TtRocprofFacts *self, gint64 ns);
guint64 tt_rocprof_facts_pid (const TtRocprofFacts *self);         /* 0: not said */
const char *tt_rocprof_facts_node (const TtRocprofFacts *self);    /* host name; NULL: not said */
const char *tt_rocprof_facts_program (const TtRocprofFacts *self); /* "python3"; NULL: not said */
/* Key, value, key ... that describe the process. */
const GPtrArray *tt_rocprof_facts_metadata (const TtRocprofFacts *self);

/* NULL: no such thing. Agents and operations stay. */
TtRocprofAgent *tt_rocprof_facts_agent (TtRocprofFacts *self, guint64 handle);
TtRocprofOperation *tt_rocprof_facts_operation (TtRocprofFacts *self, guint64 kind, guint64 operation);
const char *tt_rocprof_facts_kind (const TtRocprofFacts *self, guint64 kind);
const char *tt_rocprof_facts_counter (const TtRocprofFacts *self, guint64 handle);
gboolean tt_rocprof_facts_kernel (TtRocprofFacts *self, guint64 id, TtRocprofKernel *kernel);
const char *tt_rocprof_facts_text (TtRocprofFacts *self, guint64 text);
/* The message of a mark or range, by the correlation id of its call. */
const char *tt_rocprof_facts_message (TtRocprofFacts *self, guint64 correlation);
/* What an external correlation id stands for: the range that kernels are named after (--kernel-rename). */
const char *tt_rocprof_facts_external (TtRocprofFacts *self, guint64 id);

/* The dispatches with counters. */
TtRocprofCounters *tt_rocprof_facts_counters (TtRocprofFacts *self);

gboolean tt_rocprof_facts_check (const TtRocprofFacts *self, GError **error);
