/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Anchor: the anchor file of an OTF2 archive (traces.otf2), which names its parts.
 *
 * Source of these facts: OTF2 3.0.2, OTF2_AnchorFile.c and otf2_archive_int.c. The anchor is the bytes 3 and that of the byte order,
 * "OTF2", a NUL and its fields. Beside NAME.otf2 lie NAME.def (the global definitions), NAME.marker and the folder NAME/
 * with N.evt (events), N.def (local definitions) of each location N.
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *stem;                  /* the path without .otf2 */
  guint8 major, minor, bugfix; /* of the library that wrote it */
  guint8 trace_format;
  guint64 event_chunk, definition_chunk;
  guint64 n_locations, n_definitions;
  char *machine, *creator, *description;
  GPtrArray *properties; /* of char *: name, value, name, value ... */
} TtOtf2Anchor;

/* By the first bytes of a file. */
gboolean tt_otf2_is_anchor (const guint8 *head, gsize len);

/* NULL with @error: it cannot be read, is none, or is of a kind that is not read (SIONlib, zlib). */
TtOtf2Anchor *tt_otf2_anchor_load (const char *path, GError **error);
/* The same of contents in memory. */
TtOtf2Anchor *tt_otf2_anchor_parse (const char *path, const guint8 *data, gsize len, GError **error);
void tt_otf2_anchor_free (TtOtf2Anchor *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOtf2Anchor, tt_otf2_anchor_free)

/* Paths of parts; free them. */
char *tt_otf2_definitions_path (const TtOtf2Anchor *self);
char *tt_otf2_markers_path (const TtOtf2Anchor *self);
char *tt_otf2_events_path (const TtOtf2Anchor *self, guint64 location);
char *tt_otf2_local_path (const TtOtf2Anchor *self, guint64 location);
