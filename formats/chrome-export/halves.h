/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins halves of messages as the store does, for convert.
 */
#pragma once

#include "formats/chrome-export/chrome.h"
#include "formats/chrome-export/owners.h"

typedef struct _ChromeHalves ChromeHalves;
ChromeHalves *tt_chrome_halves_new (void);
void tt_chrome_halves_free (ChromeHalves *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ChromeHalves, tt_chrome_halves_free)
/* Of a process, or of one of its threads. */
void tt_chrome_halves_metadata (ChromeHalves *self, guint32 process, const char *key, const char *value);
void tt_chrome_halves_add (ChromeHalves *self, TtChrome *chrome, const TtBatch *batch);
gboolean tt_chrome_halves_finish (ChromeHalves *self, TtChrome *chrome, ChromeOwners *owners, GError **error);
