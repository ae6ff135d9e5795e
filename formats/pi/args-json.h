/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of a call as one JSON object, for the store: handles and pointers as "0x55d0c0de0040" or null, enums
 * and flags by symbol, texts, numbers, true and false; then `backend`, `result` (a signed code), `result_name` of what
 * is no success, `outputs` that were captured, `memory` (a file of buffers/).
 */
#pragma once

#include "formats/pi/call.h"

typedef struct _TtPiArgsShape TtPiArgsShape;

typedef struct
{
  char *text;
  gsize len, capacity;
  GString *scratch, *shown;
  char **keys;            /* only these, NULL-ended; NULL: all */
  gboolean is_format;     /* numbers, and what pointers are, are written as %d and %x: of args-forms.c */
  TtPiArgsShape **shapes; /* what is the same in all calls of a function, by its index; NULL: none came yet */
} TtPiArgsJson;

/* @keys: borrowed. */
void tt_pi_args_json_init (TtPiArgsJson *self, char **keys);
void tt_pi_args_json_clear (TtPiArgsJson *self);
/* Fills text and len. FALSE: nothing is wanted of it. */
gboolean tt_pi_args_json_make (TtPiArgsJson *self, const TtPiCall *call);

/* Whether a member is wanted. */
gboolean tt_pi_args_json_wants (const TtPiArgsJson *self, const char *key);

/* @bytes in quotes: what is no UTF-8 becomes U+FFFD, control characters are escaped. */
void tt_pi_json_append_text (GString *to, const char *bytes, gsize len);
