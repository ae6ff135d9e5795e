/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCallFunctions: the functions whose calls are joined, one of each text and communicator, and the numbers by which the
 * table knows the communicators (src/trace/communicator.h).
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *text;
  char *key; /* comm and text */
  gint64 comm;
  gint64 shown; /* the number of comm in the table; once they are ranked */
  guint32 name; /* the lowest id with this op_name and comm */
  guint32 index, rank;
} TtCallFunction;

typedef struct
{
  GHashTable *by_name; /* name id -> TtCallFunction */
  GHashTable *by_key;  /* comm and op_name -> TtCallFunction */
  GPtrArray *all;      /* of TtCallFunction */
} TtCallFunctions;

void tt_call_functions_init (TtCallFunctions *self);
void tt_call_functions_clear (TtCallFunctions *self);
/* Made, if it is not there. @op_name: NULL: it has none. */
TtCallFunction *tt_call_functions_find (TtCallFunctions *self, guint32 name, const char *op_name, gint64 comm);
void tt_call_functions_define (TtCallFunctions *self, guint32 name, const char *op_name, gint64 comm);
/* Sets shown and rank; @ranked: empty. Those of one text that are shown alike have one rank: the place of the first, which
 * stands for them. */
void tt_call_functions_rank (TtCallFunctions *self, GPtrArray *ranked);

static inline TtCallFunction *
tt_call_function_at (const GPtrArray *functions, guint32 place)
{
  return g_ptr_array_index (functions, place);
}

static inline const TtCallFunction *
tt_call_functions_of_name (const TtCallFunctions *self, guint32 name)
{
  return g_hash_table_lookup (self->by_name, GUINT_TO_POINTER (name));
}
