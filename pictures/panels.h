/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPanelChart: a quantity for each of several values of settings, a panel a setting, all by one scale.
 *
 * Values are texts, in the order in which they were added, with equal distances. A point is a circle with data-series (the
 * panel), data-setting (the value's text), data-value, data-low and data-high: the range that it may lie in, drawn as a
 * band.
 */
#pragma once

#include "pictures/frame.h"

typedef struct
{
  char *text;
  tt_int128 value, low, high;
} TtPanelPoint;

typedef struct
{
  TtPictureHead head;
  TtQuantity quantity;
  const char *y_title;
  GPtrArray *panels; /* of TtPanel */
  gboolean has_mark; /* a line across all at @mark */
  tt_int128 mark;
  const char *mark_name;
} TtPanelChart;

void tt_panel_chart_init (TtPanelChart *self, const char *title);
void tt_panel_chart_clear (TtPanelChart *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtPanelChart, tt_panel_chart_clear)

void tt_panel_chart_add_panel (TtPanelChart *self, const char *title);
/* To the last panel. */
void tt_panel_chart_add (TtPanelChart *self, const char *text, tt_int128 value, tt_int128 low, tt_int128 high);

/* Notes where the axis does not begin at 0. */
void tt_panel_chart_write (TtPanelChart *self, TtOutput *out);
