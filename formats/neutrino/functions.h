/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of neutrino.language, but for u32, u64, f32, f64, bits and save.
 */
#pragma once

#include "formats/neutrino/types.h"

typedef struct
{
  const char *name;
  TtNlOp op;
  guint width; /* of the result */
  gboolean is_of_value, is_of_condition;
} TtNlFunction;

/* NULL: there is none. */
const TtNlFunction *tt_nl_function_find (const char *name);
/* "f32", "f64", "bits": what check-float knows. */
gboolean tt_nl_function_is_float (const char *name);
/* Whether @name is one of them, or of the others. */
gboolean tt_nl_function_is_name (const char *name);
/* What to write instead of a function that one may look for; NULL: nothing. */
const char *tt_nl_function_instead (const char *name);
/* Of two constants, modulo 2^64. */
guint64 tt_nl_compute (TtNlOp op, guint64 a, guint64 b);
