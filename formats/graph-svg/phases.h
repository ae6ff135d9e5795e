/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of a training step in a drawn graph: a shade behind what each process does in each, in the colour of its nodes. */
#pragma once

#include "formats/graph-svg/graph-layout.h"
#include "src/base/output.h"

/* @layout: placed; its origin stands at @left, @top. Nothing is written where it has no phases. */
void tt_phases_write (const TtGraph *graph,
                      const TtGraphLayout *layout,
                      gboolean is_wide,
                      gint32 left,
                      gint32 top,
                      TtOutput *out);
