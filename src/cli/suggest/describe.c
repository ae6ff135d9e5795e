/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/suggest/describe.h"

#include "src/base/units.h"

#include <math.h>
#include <string.h>

#define WIDTH 78u
/* Names of lexgions that are told of one kind of event. */
#define MOST_NAMES 4u

typedef struct
{
  const TtSuggestion *choice;
  const TtLevels *levels;
  const TtTrialTrace *trace;
  const TtSuggestionGoal *goal;
  GString *out;
} Page;

/* A comment, in lines that fit; what follows the first is set in. */
static void G_GNUC_PRINTF (2, 3) say (GString *out, const char *format, ...)
{
  g_autoptr (GString) text = g_string_new (NULL);
  va_list args;
  guint at = 1;

  va_start (args, format);
  g_string_vprintf (text, format, args);
  va_end (args);
  g_strdelimit (text->str, "\n\r\t", ' ');
  g_auto (GStrv) words = g_strsplit (text->str, " ", -1);
  g_string_append_c (out, '#');
  for (char **word = words; *word != NULL; word++)
    {
      guint len = (guint) g_utf8_strlen (*word, -1);
      if (at > 4 && at + 1 + len > WIDTH)
        {
          g_string_append (out, "\n#  ");
          at = 3;
        }
      g_string_append_printf (out, " %s", *word);
      at += 1 + len;
    }
  g_string_append_c (out, '\n');
}

static guint64
kept_of (const Page *self, guint kind)
{
  guint64 n = 0;

  for (guint unit = 0; unit <= self->trace->units->len; unit++)
    n += tt_trial_count (self->trace, self->choice->trial, unit, kind);
  return n;
}

/* "0x401478 COMP.omp_work.loop". Free it. */
static char *
row_text (const Page *self, guint row)
{
  const TtTrialRow *of = &g_array_index (self->trace->rows, TtTrialRow, row);
  const TtStoredName *name = tt_store_name (self->trace->store, of->name);

  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x %s", of->codeptr, name == NULL ? "" : name->text);
}

/* -- the head ------------------------------------------------------------------------------------------------------ */

static void
say_size (const Page *self, const char *size, const char *trace)
{
  guint64 bytes = self->trace->sizes->metadata_bytes;
  char predicted[TT_TIME_TEXT], now[TT_TIME_TEXT], kept[TT_TIME_TEXT], all[TT_TIME_TEXT], metadata[TT_TIME_TEXT];

  for (guint i = 0; i < self->trace->sizes->streams->len; i++)
    {
      const TtCtfStreamSize *stream = self->trace->sizes->streams->pdata[i];
      bytes += stream->n_bytes + stream->index_bytes;
    }
  say (self->out, "Made by 'tracetool config suggest --max-size %s' of %s", size, trace);
  say (self->out, "Predicted size: %s, %s bytes of %s; %s of %s spans", tt_bytes_auto (metadata, self->choice->bytes),
       tt_count_text (predicted, self->choice->bytes), tt_count_text (now, bytes),
       tt_count_text (kept, self->choice->trial->n_kept), tt_count_text (all, self->trace->n_spans));
  say (self->out, "Estimated from the trace's packets: %s bytes of metadata, bytes a span of each kind, begin and end:",
       tt_count_text (metadata, self->trace->sizes->metadata_bytes));
  for (guint i = 1; i < self->trace->kinds->len; i++)
    {
      const TtTrialKind *kind = &g_array_index (self->trace->kinds, TtTrialKind, i);
      const TtCtfKindSize *of = self->trace->sizes->kinds->pdata[i];
      const char *op = of->op == NULL ? of->provider : of->op;

      if (kind->n > 0)
        say (self->out, "  %s: %.1f bytes, %s of %s spans", op, (double) of->n_bits / 8 / (double) kind->n,
             tt_count_text (kept, kept_of (self, i)), tt_count_text (all, kind->n));
    }
}

static void
say_change (const Page *self)
{
  const TtSuggestion *choice = self->choice;

  if (choice->row == G_MAXUINT)
    say (self->out, "Imbalance of lexgions: no change");
  else
    {
      g_autofree char *name = row_text (self, choice->row);
      say (self->out, "Largest change of imbalance: %.2f points (limit %g), of %s: %.2f %% becomes %.2f %%",
           choice->change, self->goal->limit, name,
           g_array_index (self->trace->rows, TtTrialRow, choice->row).imbalance, choice->trial->imbalance[choice->row]);
    }
  if (choice->n_exempt > 0)
    say (self->out, "Not held to it: %u lexgions below %g %% of the time change more, or are not seen",
         choice->n_exempt, self->goal->min_share);
}

/* The lexgions that go with a kind of events. */
static char *
list_lost (const Page *self, guint kind)
{
  GString *text = g_string_new (NULL);
  guint n = 0;

  for (guint row = 0; row < self->trace->rows->len; row++)
    {
      if (g_array_index (self->trace->rows, TtTrialRow, row).kind != kind)
        continue;
      g_autofree char *name = row_text (self, row);
      if (n++ < MOST_NAMES)
        g_string_append_printf (text, "%s %s", n > 1 ? "," : "", name);
    }
  if (n > MOST_NAMES)
    g_string_append_printf (text, " and %u more", n - MOST_NAMES);
  return g_string_free (text, FALSE);
}

static guint
count_sampled (const Page *self)
{
  guint n = 0;

  for (guint i = 0; i < self->trace->units->len; i++)
    n += !tt_plan_is_everything (&self->choice->plan->rules[i]);
  return n;
}

static void
say_loss (const Page *self)
{
  guint n_sampled = count_sampled (self);
  gboolean is_any = n_sampled > 0;

  if (n_sampled > 0)
    say (self->out, "Given up: invocations of %u of %u code pointers that PInsight counts; their sections say how many",
         n_sampled - (tt_plan_is_everything (&self->choice->plan->rules[0]) ? 0 : 1), self->trace->units->len - 1);
  for (guint i = 1; i < self->trace->kinds->len; i++)
    {
      const TtTrialKind *kind = &g_array_index (self->trace->kinds, TtTrialKind, i);
      if (kind->n == 0 || !tt_trial_is_off (self->choice->plan, kind))
        continue;
      g_autofree char *lost = list_lost (self, i);
      say (self->out, "Given up: %s, and so the lexgions%s",
           kind->operation.role == TT_ROLE_DEVICE ? "device_activity" : kind->name, *lost == '\0' ? " none" : lost);
      is_any = TRUE;
    }
  if (!is_any)
    say (self->out, "Given up: nothing");
}

/* -- sections -------------------------------------------------------------------------------------------------------- */

/* Free them. */
static char **
make_notes (const Page *self)
{
  guint n = self->trace->units->len;
  char **notes = g_new0 (char *, n + 1);

  for (guint unit = 0; unit < n; unit++)
    {
      const GArray *rows = self->levels->unit_rows->pdata[unit];
      g_autofree char *which = tt_sampling_describe (&self->choice->plan->rules[unit]);
      double change = 0;

      for (guint i = 0; i < rows->len; i++)
        {
          double of = tt_levels_change (self->levels, self->choice->trial, g_array_index (rows, guint32, i));
          change = isinf (of) ? change : MAX (change, of);
        }
      g_autoptr (GString) note = g_string_new (NULL);
      say (note, "of %" G_GUINT64_FORMAT " invocations a thread: %s; imbalance changes by at most %.2f",
           g_array_index (self->trace->units, TtPlanUnit, unit).n_invocations, which, change);
      notes[unit] = g_string_free (g_steal_pointer (&note), FALSE);
    }
  return notes;
}

void
tt_suggestion_write (const TtSuggestion *self,
                     const TtLevels *levels,
                     const TtSuggestionGoal *goal,
                     const char *size,
                     const char *trace,
                     GString *out)
{
  const Page page = { self, levels, levels->trace, goal, out };
  char **notes = make_notes (&page);

  say_size (&page, size, trace);
  say_change (&page);
  say_loss (&page);
  tt_plan_write (self->plan, (const char *const *) notes, out);
  for (guint i = 0; i < levels->trace->units->len; i++)
    g_free (notes[i]);
  g_free (notes);
}
