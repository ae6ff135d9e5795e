/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/slice.h"

#include "formats/chrome-export/part.h"
#include "src/base/int128.h"
#include "src/base/sorter.h"

static const ChromeLanguage *
whole_of (const TtChrome *self)
{
  return self->slice.whole;
}

/* -- silence --------------------------------------------------------------------------------------------- */

static void
add_line (TtChrome *self, const ChromeThread *thread, guint32 number)
{
  if (!self->slice.is_silent)
    whole_of (self)->line (self, thread, number);
}

static void
add_event (TtChrome *self, const ChromeShown *shown)
{
  if (!self->slice.is_silent)
    whole_of (self)->event (self, shown);
}

static void
add_counter (TtChrome *self, const ChromeRecord *record)
{
  if (!self->slice.is_silent)
    whole_of (self)->counter (self, record);
}

static void
add_half (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track)
{
  if (!self->slice.is_silent)
    whole_of (self)->half (self, side, track);
}

static void
add_anchor (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track)
{
  if (!self->slice.is_silent)
    whole_of (self)->anchor (self, side, track);
}

static void
add_arrow_end (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track)
{
  if (!self->slice.is_silent)
    whole_of (self)->arrow_end (self, side, track);
}

/* -- turns ----------------------------------------------------------------------------------------------- */

static guint64
first_of (const TtChrome *self, guint slice)
{
  return (guint64) ((tt_uint128) self->n_collected * slice / self->options->n_slices);
}

void
tt_chrome_slice_begin (TtChrome *self)
{
  ChromeSlice *slice = &self->slice;

  slice->whole = self->language;
  slice->silent = *self->language;
  slice->silent.line = add_line;
  slice->silent.event = add_event;
  slice->silent.counter = add_counter;
  slice->silent.half = add_half;
  slice->silent.anchor = add_anchor;
  slice->silent.arrow_end = add_arrow_end;
  self->language = &slice->silent;
  slice->first = first_of (self, self->options->slice);
  slice->last = first_of (self, self->options->slice + 1);
  slice->n_seen = 0;
  slice->is_silent = !tt_chrome_slice_is_first (self);
}

gboolean
tt_chrome_slice_step (TtChrome *self, const ChromeRecord *record)
{
  ChromeSlice *slice = &self->slice;

  if (self->part != NULL)
    return tt_chrome_slice_step_to (self, record->ts);
  slice->is_silent = slice->n_seen < slice->first || slice->n_seen >= slice->last;
  slice->n_seen++;
  return TRUE;
}

gboolean
tt_chrome_slice_step_to (TtChrome *self, guint64 ts)
{
  if (self->part == NULL)
    return TRUE;
  if (!tt_chrome_part_step (self, tt_sort_value (ts)))
    return FALSE;
  self->slice.is_silent = !self->part->has_entered;
  return TRUE;
}

gboolean
tt_chrome_slice_is_first (const TtChrome *self)
{
  return self->options->slice == 0;
}

gboolean
tt_chrome_slice_is_last (const TtChrome *self)
{
  return self->options->slice + 1 >= self->options->n_slices;
}
