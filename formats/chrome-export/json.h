/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two languages in JSON: the Chrome trace, which chrome.h describes, and the seed's uniform template, which has
 * spans only and texts as pids and tids.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

extern const ChromeLanguage tt_chrome_language_json;

/* {"name":.., "cat":.. of a name; its args up to the number of the occurrence. */
void tt_chrome_json_name_head (TtChrome *self, GString *to, const TtStoredName *name);
void tt_chrome_json_name_tail (TtChrome *self, GString *to, const char *pid, const TtStoredName *name);
/* Metadata events of all processes and threads that are shown; of one further line. */
void tt_chrome_json_metadata (TtChrome *self);
void tt_chrome_json_line (TtChrome *self, const ChromeThread *thread, guint32 tid);
/* The critical path as a process of its own, where it is asked for. */
void tt_chrome_json_overlay (TtChrome *self);
/* Appends @key and @text as a JSON string. */
void tt_chrome_append_json (TtChrome *self, GString *to, const char *key, const char *text);
