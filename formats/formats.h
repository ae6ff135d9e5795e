/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of input formats, and which of them a file has.
 *
 * To add a format: write its folder (formats/ID/, with tt_format_ID at the end of a file) and add it to TT_FORMATS.
 * Importers do not include this header.
 */
#pragma once

#include "formats/dialects.h"
#include "formats/format.h"

/* In order of preference. The dialects are only for --format: "chrome" finds them by content. */
#define TT_FORMATS(X) X (tau) X (otf2) X (rocprof) X (job) X (pi) X (chrome) X (plain) TT_DIALECTS (X) X (neutrino) X (ctf) X (nsys)

#define TT_DECLARE_FORMAT(id) extern const TtFormat tt_format_##id;
TT_FORMATS (TT_DECLARE_FORMAT)
#undef TT_DECLARE_FORMAT

#define TT_COUNT_FORMAT(id) +1
enum
{
  TT_N_FORMATS = 0 TT_FORMATS (TT_COUNT_FORMAT)
};
#undef TT_COUNT_FORMAT

/* NULL-ended, in order of preference. */
extern const TtFormat *const tt_formats[];

const TtFormat *tt_format_by_name (const char *name, GError **error);
/* The format whose probe is most certain of the file @path; only @forced is asked if it is not NULL. NULL without
 * @error: no format knows it. *size: bytes looked at. */
const TtFormat *tt_format_best (const char *path, const TtFormat *forced, guint64 *size, GError **error);
/* The best match; NULL with an @error that says why there is none. */
const TtFormat *tt_format_recognise (const char *path, GError **error);
