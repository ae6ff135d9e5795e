/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that are one archive, in an order of their own: anchor, definitions, of each location its definitions and events, markers.
 */
#pragma once

#include "formats/format.h"

/* How sure it is that @file is the anchor, or another file, of an archive. */
guint tt_otf2_probe (const TtProbe *file);
gboolean tt_otf2_group (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error);
gboolean tt_otf2_fingerprint (const TtInputSet *input, guint64 *bytes, char **hash, GError **error);
/* The hash of an archive from @digests: path -> hash of a file; of those that it does not have none. Free it. */
char *tt_otf2_join_digests (const TtInputSet *input, GHashTable *digests);
