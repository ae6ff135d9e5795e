/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What pictures of one launch of a kernel, whose probe's results are a source, say of it.
 */
#pragma once

#include "src/cli/plots/plot.h"

/* "WHAT of COMP.add.DMAT". Free it. */
char *tt_plot_launch_title (TtStore *store, const char *what, guint32 name);
/* Which file the records are from. */
void tt_plot_launch_note (TtPictureHead *head, TtStore *store, guint32 source);
/* What its times are. */
TtQuantity tt_plot_launch_time (TtStore *store, guint32 source);
