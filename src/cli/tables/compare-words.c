/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/compare.h"

#include <math.h>

#define MAX_LINE 80 /* characters */
#define MAX_NAME 48 /* of a name in a sentence */

char *
tt_compare_group_text (const TtCompareAnswer *self, const TtComparedGroup *group)
{
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < self->keys.n; k++)
    g_string_append_printf (text, "%s%s", k > 0 ? ", " : "", group->labels[k] == NULL ? "-" : group->labels[k]);
  if (self->per_rank)
    g_string_append_printf (text, " on rank %s", group->labels[self->keys.n]);
  return g_string_free (text, FALSE);
}

char *
tt_compare_time_text (const TtCompareAnswer *self, tt_int128 ns)
{
  guint64 size = (guint64) MIN (ns < 0 ? -ns : ns, G_MAXINT64);
  char text[TT_TIME_TEXT];

  if (self->is_ticks)
    return g_strdup_printf ("%s%s ticks", ns < 0 ? "-" : "", tt_count_text (text, size));
  return g_strdup_printf ("%s%s", ns < 0 ? "-" : "", tt_time_auto (text, (gint64) size));
}

/* What grew most, or shrank most; NULL: nothing did. */
static const TtComparedPair *
find_cause (TtComparison *comparison, guint run, gboolean is_longer)
{
  const GArray *pairs = tt_comparison_pairs (comparison, TT_COMPARED_OPERATIONS);
  const TtComparedPair *most = NULL;
  tt_int128 most_ns = 0;

  for (guint i = 0; i < pairs->len; i++)
    {
      const TtComparedPair *pair = &g_array_index (pairs, TtComparedPair, i);
      tt_int128 growth = tt_compared_growth (pair), size = is_longer ? growth : -growth;

      if (pair->run == run && size > most_ns)
        {
          most = pair;
          most_ns = size;
        }
    }
  return most;
}

/* Names of kernels are longer than any screen: head and tail. */
static void
append_short (GString *text, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  glong n = g_utf8_strlen (valid, -1);

  if (n <= MAX_NAME)
    {
      g_string_append (text, valid);
      return;
    }
  const char *head_end = g_utf8_offset_to_pointer (valid, MAX_NAME / 2);
  g_string_append_len (text, valid, head_end - valid);
  g_string_append (text, "…");
  g_string_append (text, g_utf8_offset_to_pointer (valid, n - MAX_NAME / 2 + 1));
}

/* On a line of its own where the sentence would be longer than a screen is wide. */
static void
say_cause (GString *line, const TtCompareAnswer *self, guint run, gboolean is_longer)
{
  const TtComparedPair *cause = find_cause (self->comparison, run, is_longer);
  g_autoptr (GString) text = g_string_new ("mostly ");

  if (cause == NULL)
    return;
  g_autofree char *name = tt_compare_group_text (self, cause->group);
  g_autofree char *growth = tt_compare_time_text (self, tt_compared_growth (cause));
  append_short (text, name);
  g_string_append_printf (text, " (self time %s%s)", is_longer ? "+" : "", growth);
  g_string_append (line, g_utf8_strlen (line->str, -1) + 2 + g_utf8_strlen (text->str, -1) > MAX_LINE ? ":\n  " : ": ");
  g_string_append (line, text->str);
}

static void
say_run (GString *all, const TtCompareAnswer *self, guint run)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const TtComparedRun *a = tt_comparison_run (self->comparison, 0), *b = tt_comparison_run (self->comparison, run);
  tt_int128 before = self->is_part ? a->self_ns : a->length_ns, after = self->is_part ? b->self_ns : b->length_ns;
  tt_int128 size = after < before ? before - after : after - before;
  g_autofree char *whole = tt_compare_time_text (self, after);
  g_autofree char *difference = tt_compare_time_text (self, size);
  static const char *const words[2][2] = { { "less", "more" }, { "shorter", "longer" } };
  double percent = tt_percent_change (before, after);

  if (a->n_spans == 0 || b->n_spans == 0 || (!self->is_part && (!a->has_time || !b->has_time)))
    return;
  g_string_append_printf (text, "%c %s %s, ", tt_compare_letter (run),
                          self->is_part ? "spends in these operations" : "takes", whole);
  if (after == before)
    g_string_append (text, self->is_part ? "as much as A" : "as long as A");
  else
    {
      g_string_append (text, difference);
      if (isfinite (percent))
        g_string_append_printf (text, " (%.1f %%)", fabs (percent));
      g_string_append_printf (text, " %s than A", words[!self->is_part][after > before]);
      say_cause (text, self, run, after > before);
    }
  g_string_append_printf (all, "\n%s", text->str);
}

char *
tt_compare_describe (const TtCompareAnswer *self)
{
  GString *text = g_string_new (NULL);
  guint n_runs = tt_comparison_n_runs (self->comparison);

  for (guint run = 0; run < n_runs; run++)
    g_string_append_printf (text, "%s%c: %s", run > 0 ? "\n" : "", tt_compare_letter (run), self->runs[run]);
  for (guint run = 1; run < n_runs; run++)
    say_run (text, self, run);
  return g_string_free (text, FALSE);
}

/* In us, as times of facts are; ticks are whole. */
static void
write_time (TtFacts *facts, const TtCompareAnswer *self, const char *name, tt_int128 ns)
{
  g_autofree char *key = g_strconcat (name, self->is_ticks ? "" : "_us", NULL);
  char text[TT_TIME_TEXT];

  tt_json_writer_raw (&facts->json, key, tt_time_text_int128 (text, ns, self->is_ticks ? TT_UNIT_NS : TT_UNIT_US, -1));
}

void
tt_compare_facts (const TtCompareAnswer *self, TtFacts *facts)
{
  tt_json_writer_open_array (&facts->json, "runs");
  for (guint run = 0; run < tt_comparison_n_runs (self->comparison); run++)
    {
      const TtComparedRun *facts_of_run = tt_comparison_run (self->comparison, run);

      tt_json_writer_open_object_line (&facts->json, NULL);
      tt_json_writer_string (&facts->json, "run", self->runs[run]);
      if (facts_of_run->has_time)
        write_time (facts, self, "length", facts_of_run->length_ns);
      write_time (facts, self, "self", facts_of_run->self_ns);
      tt_json_writer_close (&facts->json);
    }
  tt_json_writer_close (&facts->json);
}
