/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes and the hash by which the files of a set are known again.
 */
#pragma once

#include "formats/format.h"
#include "src/base/hash-ahead.h"

/* One hash over all files, NULL: it is not wanted, and the bytes that they take on disk. */
gboolean tt_ctf_fingerprint (const TtInputSet *set, guint64 *bytes, char **hash, GError **error);
/* The same of hashes that @ahead, of the paths of @set, has taken or takes now; once. */
gboolean tt_ctf_join_hashes (const TtInputSet *set, TtHashAhead *ahead, guint64 *bytes, char **hash, GError **error);
