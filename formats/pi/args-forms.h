/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of a call as a form and numbers (src/trace/args-form.h): the text that args-json.h makes of it is the form with
 * these numbers. Of most calls: those with texts, with what pointers point to, or that failed, have a text.
 */
#pragma once

#include "formats/pi/args-json.h"
#include "src/trace/args-form.h"

typedef struct
{
  guint number; /* from 0; TT_ARGS_FORMS_OF_SOURCE at most */
  guint n_numbers;
  char *format;
  gsize n_fixed; /* bytes of its texts beside the digits of its numbers */
} TtPiArgsForm;

typedef struct _TtPiArgsForms TtPiArgsForms;

/* @json: borrowed; makes the formats, and is what else makes texts. */
TtPiArgsForms *tt_pi_args_forms_new (TtPiArgsJson *json);
void tt_pi_args_forms_free (TtPiArgsForms *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiArgsForms, tt_pi_args_forms_free)

/* The form of @call, which is good as long as @self is, its @numbers, and how long its text would be. NULL: it is to have a text. */
const TtPiArgsForm *tt_pi_args_forms_find (TtPiArgsForms *self,
                                           const TtPiCall *call,
                                           gint64 numbers[TT_ARGS_FORM_MOST_NUMBERS],
                                           gsize *len);
