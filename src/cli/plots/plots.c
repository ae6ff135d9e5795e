/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/plot.h"

/*
 * The master list: help and completion follow its order.
 * To add one: write src/cli/plots/WORD.c, declare it in plot.h, list it here and in src/cli/local.mk.
 */
const TtPlot *const tt_plots[] = {
  &tt_plot_steps, &tt_plot_breakdown, &tt_plot_matrix,    &tt_plot_histogram, &tt_plot_timeline,
  &tt_plot_flame, &tt_plot_waits,     &tt_plot_roofline,  &tt_plot_what_if,   &tt_plot_dmat,
  &tt_plot_pages, &tt_plot_banks,     &tt_plot_conflicts, &tt_plot_blocks,    NULL,
};
