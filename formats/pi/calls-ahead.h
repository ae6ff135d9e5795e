/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiCallsAhead: the calls of all threads in the order of their starts, read, and their arguments made JSON or a form's numbers, by a
 * thread of its own before they are asked for.
 *
 * What is read ahead is bounded. Calls, warnings and errors are the same, in the same order, where no thread can be had.
 */
#pragma once

#include "formats/pi/args-forms.h"
#include "formats/pi/trace.h"

typedef struct
{
  const TtPiCall *call; /* with n_args arguments and n_outputs outputs, and no room for more */
  guint thread;
  gboolean is_in_order, is_last; /* as tt_pi_merge_is_in_order(), tt_pi_merge_is_last() */
  const TtPiArgsForm *form;      /* of its arguments; NULL: they have none */
  const gint64 *numbers;         /* of the form */
  const char *json;              /* its arguments: args-json.h; NULL: there is a form, or nothing is wanted of them */
  gsize json_len;                /* of the text, or of what that would be */
  const TtPiNativeTimes *times;  /* what the recorder asked for, told since the call before */
  guint n_times;
} TtPiReadCall;

typedef struct _TtPiCallsAhead TtPiCallsAhead;

/* Called for each call where it is read, on the thread that reads. */
typedef void (*TtPiReadFunc) (const TtPiCall *call, guint thread, gpointer data);

/* From here on until it is freed @merge, which is of @trace, and that belong to it, but for what of the trace does not
 * change; the trace tells it the times. @keys: of args-json.h; borrowed. @has_forms: arguments
 * with a form come so; forms are good until it is freed. */
TtPiCallsAhead *tt_pi_calls_ahead_new (TtPiTrace *trace,
                                       TtPiMerge *merge,
                                       char **keys,
                                       gboolean has_forms,
                                       TtPiReadFunc read,
                                       gpointer data);
void tt_pi_calls_ahead_free (TtPiCallsAhead *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiCallsAhead, tt_pi_calls_ahead_free)

/* The next call, valid until that after it. NULL: there is none, or @error. */
const TtPiReadCall *tt_pi_calls_ahead_next (TtPiCallsAhead *self, GError **error);
/* After the last call: the times that were told since, *@n of them. */
const TtPiNativeTimes *tt_pi_calls_ahead_last_times (const TtPiCallsAhead *self, guint *n);
/* As tt_pi_merge_progress(), of the calls that were asked for, to within some hundreds. */
guint64 tt_pi_calls_ahead_progress (TtPiCallsAhead *self);
