/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spans of owners, for convert: those that messages and flows are tied to.
 */
#pragma once

#include "formats/chrome-export/records.h"
#include "src/trace/batch.h"

typedef struct _ChromeOwners ChromeOwners;
ChromeOwners *tt_chrome_owners_new (void);
void tt_chrome_owners_free (ChromeOwners *self);
/* The owners of @batch, whose spans end in it or just before. */
void tt_chrome_owners_add (ChromeOwners *self, const TtBatch *batch);
ChromeSpan tt_chrome_owners_span (ChromeOwners *self, guint32 owner);
gboolean tt_chrome_owners_check (const ChromeOwners *self, GError **error);
