/*
 * One row of a definition file: ID GROUP TAG "NAME" PARAMS, and the first line. Text only.
 */
#pragma once

#include "formats/tau/edf.h"

/* A piece of somebody else's text. */
typedef struct
{
  const char *text;
  gsize len;
} TtTauPiece;

typedef struct
{
  gint64 id, tag;
  TtTauPiece group, name; /* trimmed, bytes as they are */
  TtTauKind kind;
} TtTauRowParts;

/* Parses @row, which may be several lines joined. NULL, or what is wrong with it. */
const char *tt_tau_row_parse (const char *row, gsize len, TtTauRowParts *parts);

/* Whether @line begins as a row does, up to the first quote: no continuation of a name looks so. */
gboolean tt_tau_row_begins (const char *line);
/* Whether @row ends as a row does: a name in quotes and parameters that are known. */
gboolean tt_tau_row_ends (const char *row, gsize len);

/* Parses the first line. NULL, or what is wrong with it. */
const char *tt_tau_header_parse (const char *line, gint64 *n_declared);
