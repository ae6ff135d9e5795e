/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfView: a temporary directory with a trace as babeltrace2 is to see it: metadata as plain text, links to streams,
 * or copies of their first packets.
 */
#pragma once

#include <glib.h>

typedef struct _TtCtfView TtCtfView;

/* @path: of the trace, for errors. @text: of the metadata. NULL with @error. */
TtCtfView *tt_ctf_view_new (const char *path, const char *text, char *const *files, guint n_files, GError **error);
/* Puts the first @len bytes of the stream @file into it. Their path, owned by the view; NULL with @error. */
char *tt_ctf_view_add_cut (TtCtfView *self, const char *file, gsize len, GError **error);
/* Removes the directory. */
void tt_ctf_view_free (TtCtfView *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCtfView, tt_ctf_view_free)

const char *tt_ctf_view_path (const TtCtfView *self);
