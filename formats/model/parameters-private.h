/*
 * What the readers of the parameters' files share.
 */
#pragma once

#include "formats/model/parameters.h"
#include "formats/json/scanner.h"
#include "src/base/input.h"

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

/* The tensor called @name, with or without ":slot" and wrapper; NULL: none. */
Parameter *tt_parameters_match (const TtParameters *self, const char *name);
Parameter *tt_parameters_find (const TtParameters *self, const char *name);
/* Where they are not yet known. */
void tt_parameters_set_shape (Parameter *tensor, const TtJsonValue *shape, const TtJsonValue *dtype);
/* "512x1024" of "(512, 1024)" or of a value [512, 1024]; free it. NULL: the value is none. */
char *tt_parameter_shape_text (const char *text);
char *tt_parameter_shape (const TtJsonValue *value);

gboolean tt_parameters_take_list (TtParameters *self, const Source *source, const TtJsonValue *list, GError **error);
/* metadata.json (parameters-metadata.c). */
gboolean tt_parameters_read_metadata (TtParameters *self, const Source *source, GError **error);

/* Sets @error: @expected did not stand at @value. FALSE. */
gboolean tt_parameters_fail (const Source *source, const TtJsonValue *value, const char *expected, GError **error);
gboolean tt_parameters_is_fine (GError **failure, GError **error);
