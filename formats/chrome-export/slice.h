/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A slice of the file: of n writers that go over the same rows, each formats those of its turn, an n-th of them, and the
 * slices one after the other are the file that one writer makes. Of the others it takes what lasts: numbers of occurrences,
 * lines and lanes. Where the run allows it, each reads no more than a part of it by time (part.h). Used by write.c only.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

/* After prepare(): self->language becomes one that is silent outside of the slice. */
void tt_chrome_slice_begin (TtChrome *self);
/* A record comes next. FALSE: it is nobody's here. */
gboolean tt_chrome_slice_step (TtChrome *self, const ChromeRecord *record);
/* Something of that time does, as in a record. */
gboolean tt_chrome_slice_step_to (TtChrome *self, guint64 ts);
gboolean tt_chrome_slice_is_first (const TtChrome *self);
gboolean tt_chrome_slice_is_last (const TtChrome *self);
