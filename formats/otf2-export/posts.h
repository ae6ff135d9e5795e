/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2ExportPosts: in what order the receives of a location were posted, where they did not complete in that order.
 *
 * Messages of a channel reach receives in the order of their posting. A receive that is done before an earlier one of its channel is
 * therefore written as a non-blocking one: both are posted before it, as requests.
 */
#pragma once

#include "formats/record-export/item.h"

typedef struct _TtOtf2ExportPosts TtOtf2ExportPosts;

TtOtf2ExportPosts *tt_otf2_export_posts_new (void);
void tt_otf2_export_posts_free (TtOtf2ExportPosts *self);
/* For the next location. */
void tt_otf2_export_posts_clear (TtOtf2ExportPosts *self);
/* The request that @receive completes, 0: it is a blocking one. Before it requests *first to *last are to be posted; *first > *last:
 * none. */
guint64
tt_otf2_export_posts_take (TtOtf2ExportPosts *self, const TtRecordExportItem *receive, guint64 *first, guint64 *last);
