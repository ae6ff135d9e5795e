/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Markers: marks that somebody set in an archive (NAME.marker): spans or instants of their own row.
 *
 * Source of these facts: OTF2 3.0.2, OTF2_MarkerReader.c and OTF2_Marker.h.
 */
#pragma once

#include "formats/otf2/session.h"

/* Reads @chunks, which are open. FALSE with @error: they cannot be read. */
gboolean tt_otf2_markers_read (TtOtf2Session *self, TtOtf2Chunks *chunks, GError **error);
