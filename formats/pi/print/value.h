/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One argument of a call as text: decimal numbers, symbols of enums, flags, names of objects, texts in quotes; and what
 * the call wrote through its pointers, where that was recorded (pi.md sections 5 and 10.4).
 *
 * What is appended is printable UTF-8 in one line whatever stands in the trace: control characters, those that change
 * the direction of text and bytes that are no UTF-8 come as \n, \x1b, \u{202e}.
 */
#pragma once

#include "formats/pi/handles.h"
#include "formats/pi/outputs.h"

/* Longer texts and arrays are cut, and their size follows. */
#define TT_PI_TEXT_LIMIT 120

/* @in_quotes: also quotes and backslashes are escaped. */
void tt_pi_text_append (GString *to, const char *bytes, gsize len, gboolean in_quotes);

/* "vector_add", "queue#1"; "kernel#2 vector_add"; a "?" after it says that the link between the call that makes it and
 * the first that uses it is inferred. */
void tt_pi_handle_append (GString *to, const TtPiHandle *handle);

/* "queue#1", "GPU|CPU", "0x7ffd10000000", "\"-O2\"". @handles has taken the call; NULL: handles are hexadecimal.
 * @limit: bytes of a text to show. */
void tt_pi_arg_append (GString *to, const TtPiCall *call, guint index, const TtPiHandles *handles, gsize limit);

/* What the call wrote through argument @index; FALSE, and nothing appended: it is not recorded, or the call failed. */
gboolean tt_pi_output_append (GString *to, const TtPiCall *call, guint index, const TtPiHandles *handles, gsize limit);
/* Whether @bytes, from tt_pi_output_find(), are a text, up to its NUL. */
gboolean tt_pi_output_is_text (const TtPiCall *call, guint index, const TtPiBytes *bytes);
/* What a pointer pointed to when the call began: wait lists, work sizes, structures. Native recordings only. */
gboolean tt_pi_input_append (GString *to, const TtPiCall *call, guint index, const TtPiHandles *handles, gsize limit);

/* "SUCCESS", "INVALID_VALUE (-30)", "-1234". */
void tt_pi_result_append (GString *to, const TtPiCall *call);
/* Neither success nor in progress nor a query that may be refused. */
gboolean tt_pi_call_failed (const TtPiCall *call);

/* 0 where the end is before the start. */
static inline guint64
tt_pi_call_duration_ns (const TtPiCall *call)
{
  return call->end_ns > call->start_ns ? call->end_ns - call->start_ns : 0;
}
