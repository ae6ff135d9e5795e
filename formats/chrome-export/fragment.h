/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fragments: the text of a name in a process, which each of its events repeats, made once; and how often each long
 * name occurred.
 */
#pragma once

#include "src/store/names.h"

typedef struct _TtChrome TtChrome;
typedef struct _ChromeFragments ChromeFragments;

typedef struct
{
  const char *head; /* {"name":"COMP.compute","cat":"COMP,TAU_USER" */
  const char *tail; /* "name":"COMP.compute","op_long_name":"node3->COMP.compute","cnt": */
  guint32 head_len, tail_len;
  guint32 plain_tail_len; /* without ,"cnt": */
  guint64 *count;         /* occurrences of the long name so far */
} ChromeFragment;

ChromeFragments *tt_chrome_fragments_new (void);
void tt_chrome_fragments_free (ChromeFragments *self);
/* FALSE: a temporary file failed. */
gboolean tt_chrome_fragments_check (const ChromeFragments *self, GError **error);
/* Appends @key and @text as a JSON string. */
void tt_chrome_append_json (TtChrome *self, GString *to, const char *key, const char *text);
/* Valid until the next call. */
ChromeFragment tt_chrome_fragment (TtChrome *self, guint32 process, guint32 name);
