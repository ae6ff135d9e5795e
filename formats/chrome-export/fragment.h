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

ChromeFragments *tt_chrome_fragments_new (void);
void tt_chrome_fragments_free (ChromeFragments *self);
/* FALSE: a temporary file failed. */
gboolean tt_chrome_fragments_check (const ChromeFragments *self, GError **error);
/* Valid until the next call. */
ChromeFragment tt_chrome_fragment (TtChrome *self, guint32 process, guint32 name);
