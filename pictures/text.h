/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTextChart: a chart of letters, for a terminal: the head, rows with their labels, an axis, and notes.
 *
 * Where the locale has them, amounts are blocks of eight heights, else letters that get darker.
 */
#pragma once

#include "pictures/frame.h"

#define TT_TEXT_WIDTH 80u
#define TT_TEXT_LEVELS 8u

typedef struct
{
  TtOutput *out;
  const TtPictureHead *head;
  guint width, n_label; /* of a line, of labels */
  guint n_columns;      /* of the plot */
} TtTextChart;

/* Title and run. @n_columns: at most so many; those that fit are self->n_columns. */
void tt_text_chart_begin (TtTextChart *self,
                          TtOutput *out,
                          const TtPictureHead *head,
                          guint width,
                          guint n_label,
                          guint n_columns);
/* @cells: of self->n_columns letters. @label: NULL: none. */
void tt_text_chart_row (TtTextChart *self, const char *label, const gunichar *cells);
/* Ticks below the plot, which is @length long. */
void tt_text_chart_axis (TtTextChart *self, const TtAxis *axis, tt_int128 length, const char *title);
/* The line of the axis and what stands below it. @texts: by column, NULL where none is. */
void tt_text_chart_ticks (TtTextChart *self, char *const *texts);
/* A line between, or of the legend; what does not fit goes on. */
void tt_text_chart_line (TtTextChart *self, const char *text);
void tt_text_chart_end (TtTextChart *self);

/* 0 to TT_TEXT_LEVELS: nothing to all. */
gunichar tt_text_level (guint level);
