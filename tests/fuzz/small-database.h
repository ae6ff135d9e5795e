/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kept database of today's version with a few rows of each kind and small pages: commands answer as they do with
 * the whole one, in a hundredth of the time.
 */
#pragma once

#include <glib.h>

/* In pages of FUZZ_PAGE_BYTES, with right checksums. */
GByteArray *fuzz_small_database_new (void);
