/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What pictures of one launch of a kernel, whose probe's results are a source, say of it.
 */
#pragma once

#include "src/cli/plots/plot.h"

/* @first_names: tt_store_first_names(). @is_asked: the operations that are named, by the first name of each; NULL: none is named. Free both, also
 * after a failure. */
gboolean tt_plot_operations (const TtPlotRequest *request, guint32 **first_names, guint8 **is_asked, GError **error);
/* "WHAT of COMP.add.DMAT". Free it. */
char *tt_plot_launch_title (TtStore *store, const char *what, guint32 name);
/* Which file the records are from. */
void tt_plot_launch_note (TtPictureHead *head, TtStore *store, guint32 source);
/* What its times are. */
TtQuantity tt_plot_launch_time (TtStore *store, guint32 source);
