/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values that options take, for completion. The lists are those that the options are checked against.
 *
 * A command lists its own in TtCommand's @values; what means the same in all others is listed in common-values.c.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_VALUES_ONE,    /* one of the words, or something else that cannot be listed */
  TT_VALUES_LIST,   /* some of them, separated by commas */
  TT_VALUES_FIELDS, /* one of them, and then "=..." */
  TT_VALUES_FIRST,  /* of arguments: the first is one of the words, files follow */
} TtValuesForm;

/* What is on the command line before the value. */
typedef struct
{
  const char *db_path;
  const char *const *words; /* NULL-ended */
} TtValuesQuestion;

typedef struct
{
  const char *option; /* its long name; "": an argument that is no option */
  TtValuesForm form;
  const char *const *words; /* NULL-ended */
  /* In place of @words. Free it; NULL: none. */
  char **(*list) (const TtValuesQuestion *question);
} TtOptionValues;

/* In @list, which ends with an @option of NULL and may be NULL. NULL: it is not there. */
const TtOptionValues *tt_option_values_find (const TtOptionValues *list, const char *option);
/* The words. Free it. */
char **tt_option_values_list (const TtOptionValues *self, const TtValuesQuestion *question);
gboolean tt_values_question_has (const TtValuesQuestion *self, const char *word);
