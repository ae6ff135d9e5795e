/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ChromeRoots: which spans are the root's part of a call of a collective. What one process tells of a call holds for the
 * others, so no more than this needs to be written.
 */
#pragma once

#include "formats/chrome-export/chrome.h"
#include "formats/chrome-export/owners.h"
#include "src/store/rows.h"

typedef struct _ChromeRoots ChromeRoots;
ChromeRoots *tt_chrome_roots_new (void);
void tt_chrome_roots_free (ChromeRoots *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ChromeRoots, tt_chrome_roots_free)
gboolean tt_chrome_roots_read (ChromeRoots *self, TtStore *store, GError **error);
/* What the calls of @batch tell, whose spans are known only in the end. */
void tt_chrome_roots_add (ChromeRoots *self, const TtBatch *batch);
gboolean tt_chrome_roots_finish (ChromeRoots *self, const TtChrome *chrome, ChromeOwners *owners, GError **error);
/* Whether @event is of the root. */
gboolean tt_chrome_roots_have (const ChromeRoots *self, guint64 event);
gboolean tt_chrome_roots_check (const ChromeRoots *self, GError **error);
