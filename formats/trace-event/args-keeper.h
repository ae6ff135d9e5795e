/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtArgsKeeper: puts the arguments of events into a sink, as strict JSON: all of them or those that --args names.
 *
 * Arguments that are no object are kept as the member "args". An instant that marks more than its thread gets a first
 * member "scope": "p" (its process) or "g" (everything). Clear it with tt_args_keeper_clear().
 */
#pragma once

#include "formats/trace-event/reader.h"

typedef struct
{
  TtSink *sink;        /* borrowed */
  char *const *wanted; /* keys, NULL-ended; NULL: all; borrowed (TtImportOptions.args) */
  GString *kept, *clean; /* scratch */
} TtArgsKeeper;

void tt_args_keeper_init (TtArgsKeeper *self, TtSink *sink, char *const *wanted);
void tt_args_keeper_clear (TtArgsKeeper *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtArgsKeeper, tt_args_keeper_clear)

/* Keeps event->args; returns their id in the sink, 0: none or empty. */
guint64 tt_args_keeper_keep (TtArgsKeeper *self, const TtTraceEvent *event);

/* As above, but member by member: the filter may drop a member (FALSE) or rewrite its key (unquoted). */
typedef gboolean (*TtArgFilter) (TtJsonValue *key, gpointer data);
guint64 tt_args_keeper_keep_with (TtArgsKeeper *self, const TtTraceEvent *event, TtArgFilter filter, gpointer data);
