/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNeutrinoArgs: writes the arguments of many events of one kind: a JSON object of fixed keys with unsigned numbers.
 *
 * Keys are put in once, those that --args leaves out not at all; then each event only fills the numbers in.
 */
#pragma once

#include "src/trace/sink.h"

typedef struct _TtNeutrinoArgs TtNeutrinoArgs;

/* @keys: as in TtImportOptions; borrowed. @takes_forms: the sink that they are put into does (tt_sink_takes_forms()). */
TtNeutrinoArgs *tt_neutrino_args_new (char *const *keys, gboolean takes_forms);
void tt_neutrino_args_free (TtNeutrinoArgs *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoArgs, tt_neutrino_args_free)

/* A key whose value is number @value of those given, or an array of @n from there on. FALSE: it is not wanted. */
gboolean tt_neutrino_args_add (TtNeutrinoArgs *self, const char *key, guint value, guint n);
gboolean tt_neutrino_args_is_empty (const TtNeutrinoArgs *self);
/* Id of the arguments; 0: there are none. @with_shared: "shared":true as well. */
guint64 tt_neutrino_args_put (TtNeutrinoArgs *self, TtSink *sink, const guint64 *values, gboolean with_shared);

/* Appends @text to @json as a JSON string. */
void tt_neutrino_json_string (GString *json, const char *text);
/* Whether arguments named @key are kept. */
gboolean tt_neutrino_wants_key (char *const *keys, const char *key);
