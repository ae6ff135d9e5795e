/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fragments: the text of a name in a process, which each of its events repeats, made once by the language; and how often
 * each long name occurred.
 */
#pragma once

#include "src/store/names.h"

typedef struct _TtChrome TtChrome;
typedef struct _ChromeFragments ChromeFragments;

/* Behind each text there is room for TT_PADDING bytes more. */
typedef struct
{
  const char *head; /* in JSON: {"name":"COMP.compute","cat":"COMP,TAU_USER" */
  const char *tail; /* in JSON: "name":"COMP.compute","op_long_name":"node3->COMP.compute" */
  guint32 head_len, tail_len;
  guint64 *count; /* occurrences of the long name so far */
} ChromeFragment;

/* The same as the lines of plain spans (plain.h) of a thread have it, with what stands between its parts.
 *
 * Names of all lengths follow one another in no order, and a processor guesses wrongly how often a loop over them goes round.
 * So of all texts up to CHROME_USUAL_TEXT bytes as much is copied as of the longest of them so far. What is too much is
 * written over by what follows. */
typedef struct
{
  guint64 key; /* private, and so is age */
  guint64 age;
  const char *begin; /* in JSON from the comma of the line before up to the time */
  const char *end;   /* in JSON from the place up to the number of the occurrence */
  guint64 *count;    /* as above */
  guint32 begin_len, end_len;
  gsize begin_blocks, end_blocks; /* bytes to copy: whole blocks (append.h) */
  gsize room;                     /* for both and the place */
  gboolean has_place;             /* @end begins with it; else it is to be written before */
} ChromeLineText;

#define CHROME_USUAL_TEXT ((gsize) 384)
#define CHROME_LINE_TEXTS 1024u

/* What was asked for last, where it is found without a walk through the memory of all names: what TtChrome's fragments begin
 * with. */
typedef struct
{
  guint64 age;                                /* of those that are valid */
  gsize usual_begin_blocks, usual_end_blocks; /* of the longest up to CHROME_USUAL_TEXT */
  ChromeLineText texts[CHROME_LINE_TEXTS];
} ChromeLineTexts;

ChromeFragments *tt_chrome_fragments_new (void);
void tt_chrome_fragments_free (ChromeFragments *self);
/* FALSE: a temporary file failed. */
gboolean tt_chrome_fragments_check (const ChromeFragments *self, GError **error);
/* Valid until the next call, and so is the one below. @thread: one of the process, or TT_NO_ID. */
ChromeFragment tt_chrome_fragment (TtChrome *self, guint32 process, guint32 thread, guint32 name);
/* Use tt_chrome_line_text(). */
const ChromeLineText *tt_chrome_make_line_text (TtChrome *self, guint32 thread, guint32 name);

/* Where the language has lines of plain spans. @texts: the fragments of @self. */
static inline const ChromeLineText *
tt_chrome_line_text (TtChrome *self, const ChromeLineTexts *texts, guint32 thread, guint32 name)
{
  const ChromeLineText *text = &texts->texts[(name + 31 * thread) % CHROME_LINE_TEXTS];
  const gboolean is_there = text->key == ((guint64) thread << 32 | name) && text->age == texts->age;

  return G_LIKELY (is_there) ? text : tt_chrome_make_line_text (self, thread, name);
}
