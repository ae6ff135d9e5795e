/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNlMessages: what a compilation has to say about its source, each with a place.
 *
 * A place is a byte offset into the source text; lines and columns are counted when a message is printed, both from 1,
 * columns in characters. A message prints as
 *
 *   FILE:LINE:COLUMN: error: MESSAGE
 *       the line
 *       ^
 *
 * Messages print in the order of their places. After TT_NL_MAX_ERRORS errors the rest is only counted.
 */
#pragma once

#include <glib.h>

#define TT_NL_MAX_ERRORS 20u

typedef struct _TtNlMessages TtNlMessages;

/* @name: of the file, as people know it. Both are borrowed and live as long as the messages. */
TtNlMessages *tt_nl_messages_new (const char *name, const char *text, gsize len);
void tt_nl_messages_free (TtNlMessages *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNlMessages, tt_nl_messages_free)

void tt_nl_error (TtNlMessages *self, gsize offset, const char *format, ...) G_GNUC_PRINTF (3, 4);
void tt_nl_warning (TtNlMessages *self, gsize offset, const char *format, ...) G_GNUC_PRINTF (3, 4);
guint tt_nl_messages_n_errors (const TtNlMessages *self);

/* All messages as text, empty if there are none. */
void tt_nl_messages_print (TtNlMessages *self, GString *text);
