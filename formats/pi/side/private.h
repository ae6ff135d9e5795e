/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parsers below side.h: from bytes. @path is for messages: "ex_pb/0.desc: byte 24: ...".
 */
#pragma once

#include "formats/pi/side/side.h"

#include "src/base/error.h"
#include "src/trace/repairs.h"

/* Larger side files than this are refused: real ones have kilobytes. */
#define TT_PI_SIDE_LIMIT ((gsize) 256 << 20)

TtPiConfig *tt_pi_config_parse (const char *path, GBytes *bytes, GError **error);
GStrv tt_pi_files_parse (const char *path, GBytes *bytes, GError **error);
GStrv tt_pi_environment_parse (GBytes *bytes);
TtPiImage *tt_pi_image_parse (const char *path, GBytes *bytes, GError **error);
void tt_pi_image_free (TtPiImage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiImage, tt_pi_image_free)

GPtrArray *tt_pi_graph_new (void);
/* sycl.graph_trace; graph.json. */
GPtrArray *tt_pi_graph_parse (const char *path, GBytes *bytes, GError **error);
GPtrArray *tt_pi_graph_json_parse (const char *path, GBytes *bytes, GError **error);

TtPiGraphItem *tt_pi_graph_item_new (void);
void tt_pi_graph_item_free (TtPiGraphItem *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiGraphItem, tt_pi_graph_item_free)
/* Names what has no name after its metadata. */
void tt_pi_graph_item_finish (TtPiGraphItem *self);

/* A copy as UTF-8, up to the first NUL. */
char *tt_pi_side_text (const void *bytes, gsize len);

/* TT_ERROR_FORMAT with the place. */
void tt_pi_side_set_error (GError **error, const char *path, guint64 offset, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* FALSE with @error: the JSON in @path could not be mended without losing something. */
gboolean tt_pi_side_check_repairs (const char *path, const TtRepairs *repairs, GError **error);
