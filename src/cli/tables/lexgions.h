/*
 * The table of `stats --by lexgion`.
 */
#pragma once

#include "analyzers/statistics/lexgions.h"
#include "src/base/report/report.h"

typedef struct
{
  TtUnit unit;
  int top;         /* 0: all */
  guint width;     /* of the terminal; 0: no limit */
  const char *exe; /* whose symbols are asked; NULL: none */
} TtLexgionTableOptions;

/* @rows: from tt_lexgions_new(). NULL with @error: the symbols cannot be read. */
TtReport *tt_lexgion_table (TtStore *store, const GArray *rows, const TtLexgionTableOptions *options, GError **error);
