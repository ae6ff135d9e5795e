/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dictionary of parameters while its files are read: what the readers of the files share.
 *
 * TtParameters owns its tensors and their texts. Names may be there twice; the first one is found by name.
 */
#pragma once

#include "formats/json/scanner.h"
#include "formats/model/parameters.h"
#include "src/base/input.h"

#define MAX_TENSORS (1u << 20)

typedef struct
{
  gint64 id;
  char *name, *shape, *dtype;
  gint64 update_id;
} Parameter;

struct _TtParameters
{
  GArray *tensors;     /* of Parameter */
  GHashTable *numbers; /* name -> index + 1 */
  GHashTable *updates; /* set of gint64: the n of operators ".../update_<n>/..." that are tied to no tensor */
  gint64 aggregate;    /* opt_aggregate_num; 0: none */
  gboolean is_mxnet;
  const char *origin; /* static */
};

/* The file that is being read. */
typedef struct
{
  const char *path;
  const char *file; /* its name, static */
  TtInput *input;
  TtJson *json; /* of @input, unless that is read by itself */
} Source;

TtParameters *tt_parameters_new (void);
/* Owns @name from now on. */
Parameter *tt_parameters_add (TtParameters *self, gint64 id, char *name);
/* The tensor called @name; NULL: none. */
Parameter *tt_parameters_find (const TtParameters *self, const char *name);
/* The tensor called @name, with or without ":slot" and wrapper; NULL: none. */
Parameter *tt_parameters_match (const TtParameters *self, const char *name);
/* Where they are not yet known. */
void tt_parameters_set_shape (Parameter *tensor, const TtJsonValue *shape, const TtJsonValue *dtype);
/* "512x1024" of "(512, 1024)" or "[512, 1024]"; free it. */
char *tt_parameter_shape_text (const char *text);

/* Sets @error: @expected did not stand at @value. FALSE. */
gboolean tt_parameters_fail (const Source *source, const TtJsonValue *value, const char *expected, GError **error);
/* TRUE if there is no *failure; else moves it to @error. */
gboolean tt_parameters_is_fine (GError **failure, GError **error);
