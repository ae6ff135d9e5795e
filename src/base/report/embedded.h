/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables inside a page of HTML: JSON that no text of which ends a script element or begins a comment, of bounded size.
 */
#pragma once

#include "src/base/report/report.h"

/* Of a text so many characters are kept: its head and its tail. */
#define TT_EMBEDDED_MAX_CHARS 300u

/* A JSON string with its quotes, in which <, > and & are escapes. @max_chars 0: all of it. */
void tt_embedded_string (GString *out, const char *text, guint max_chars);
/* What a page shows of @text: its head and its tail, as valid UTF-8. Free it. */
char *tt_embedded_cut (const char *text, guint max_chars);
/* {"columns": [{"key", "title", "kind"}], "rows": [[cell, ...]], "more": N, "heading": text, "footer": text}: the cells of the
 * format json. Rows after @max_bytes are counted with those that the report left out. */
void tt_report_append_embedded (const TtReport *self, gsize max_bytes, GString *out);
