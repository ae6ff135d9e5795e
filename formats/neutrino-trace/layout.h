/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNeutrinoLayout: what the records of a Neutrino probe look like: its maps in file order.
 *
 * From probe.toml of either dialect (`[map.X]` tables; or sections with `datamodel` and SAVE lines), or from the lines
 * that `probe compile --layout` prints. In a map's record all u64 fields come before all u32 fields, whatever the
 * order in the file; in a section of the older dialect they are as its SAVE lines wrote them. No padding.
 */
#pragma once

#include "formats/neutrino-trace/map.h"

typedef struct
{
  GPtrArray *maps;  /* of TtNeutrinoMap */
  GPtrArray *notes; /* of char *: for the user, about the file */
  char *path;
} TtNeutrinoLayout;

/* @text: TOML of either dialect, or the text of --layout; by content. @path is for messages. */
TtNeutrinoLayout *tt_neutrino_layout_parse (const char *path, const char *text, gsize len, GError **error);
TtNeutrinoLayout *tt_neutrino_layout_load (const char *path, GError **error);
void tt_neutrino_layout_free (TtNeutrinoLayout *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoLayout, tt_neutrino_layout_free)
