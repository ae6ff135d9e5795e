/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs written as Chrome trace JSON, and what must be in the text: tests as rows of a table.
 *
 * Every run is written three times: from the sink in one thread and in two, and from a database. The bytes must be
 * equal, and tests/oracles/check-chrome.py must read them. Where the language is Perfetto's, the text is what
 * perfetto-decode.h makes of the bytes.
 */
#pragma once

#include "formats/chrome-export/chrome-export.h"

/* Room for a time in nanoseconds, so that a double of microseconds would lose digits. */
#define T0 G_GINT64_CONSTANT (1700000000000000000)

typedef void (*ChromeFill) (TtSink *sink);

typedef struct
{
  const char *path; /* of the test */
  ChromeFill fill;
  TtExportOptions options;     /* the selection comes from filter and window */
  const char *filter, *window; /* of the selection, or NULL */
  const guint64 *highlight;    /* ids of events, 0-ended, or NULL */
  const char *check;           /* option of check-chrome.py, or NULL */
  const char *report;          /* as chrome_describe() has it */
  const char *starts, *ends;   /* of the text, or NULL */
  const char *const *has;      /* parts of the text, NULL-ended, or NULL */
  struct
  {
    const char *part;
    guint n;
  } counts[4]; /* how often a part is in the text */
} ChromeCase;

/* One test of a g_test program for each case. */
void chrome_add_cases (const ChromeCase *cases, guint n);

/* The text, after all that must hold for it was checked; NULL and a failed test where it does not. */
char *chrome_write (ChromeFill fill, const TtExportOptions *options, TtExportReport *report, const char *check);

/* Straight from the sink. */
char *chrome_convert (ChromeFill fill,
                      const TtExportOptions *options,
                      TtExportReport *report,
                      gboolean threaded,
                      GError **error);

/* What a report counts, without its zeros: "spans 7, dropped 1". */
char *chrome_describe (const TtExportReport *report);

guint chrome_count (const char *text, const char *part);

guint32 chrome_name (TtSink *sink, const char *raw, const char *group, const char *op_cat, const char *suffix);
guint64 chrome_args (TtSink *sink, const char *json);
