/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRocprofArgs: the arguments of a row as a JSON object, member by member: all of them or those that --args names.
 *
 * Clear it with tt_rocprof_args_clear().
 */
#pragma once

#include "formats/json/scanner.h"
#include "src/trace/sink.h"

typedef struct
{
  GString *text;
  GString *scratch;
  char *const *wanted; /* TtImportOptions.args; borrowed, as the next */
  TtRepairs *repairs;
} TtRocprofArgs;

void tt_rocprof_args_init (TtRocprofArgs *self, char *const *wanted, TtRepairs *repairs);
void tt_rocprof_args_clear (TtRocprofArgs *self);

/* Starts again with none. */
void tt_rocprof_args_begin (TtRocprofArgs *self);
void tt_rocprof_args_uint (TtRocprofArgs *self, const char *key, guint64 value);
/* A list of three. */
void tt_rocprof_args_triple (TtRocprofArgs *self, const char *key, const guint64 *values);
void tt_rocprof_args_text (TtRocprofArgs *self, const char *key, const char *value);
/* A value as it stands in the file, made strict; of kind TT_JSON_NONE: no member. */
void tt_rocprof_args_value (TtRocprofArgs *self, const char *key, const TtJsonValue *value);
/* Each element {"name", "value"} of @list is a member. */
void tt_rocprof_args_list (TtRocprofArgs *self, const TtJsonValue *list);
/* @json: an object. */
void tt_rocprof_args_object (TtRocprofArgs *self, const char *key, const char *json);
/* The id in the sink; 0: there are none. */
guint64 tt_rocprof_args_keep (TtRocprofArgs *self, TtSink *sink);
