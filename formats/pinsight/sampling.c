/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/sampling.h"

#define LISTED 8

gboolean
tt_sampling_begin_numbered (TtSamplingState *state, const TtSamplingRule *rule, gboolean passes, guint32 number)
{
  guint32 step = number > state->counter ? number - state->counter : 1;

  state->counter = number - 1;
  state->since += step - 1;
  return tt_sampling_begin (state, rule, passes);
}

guint64
tt_sampling_first (const TtSamplingRule *rule)
{
  return rule->most == 0 ? 0 : (guint64) MAX (rule->starts_at + 1, rule->rate);
}

char *
tt_sampling_describe (const TtSamplingRule *rule)
{
  guint64 first = tt_sampling_first (rule), rate = (guint64) MAX (rule->rate, 1);
  g_autoptr (GString) text = g_string_new (NULL);

  if (first == 0)
    return g_strdup ("none");
  if (rule->most > LISTED)
    g_string_printf (text,
                     "%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " ... %" G_GUINT64_FORMAT
                     " (%" G_GINT64_FORMAT " in all)",
                     first, first + rate, first + 2 * rate, first + (guint64) (rule->most - 1) * rate, rule->most);
  else if (rule->most < 0 && rate == 1)
    return first == 1 ? g_strdup ("all") : g_strdup_printf ("all from number %" G_GUINT64_FORMAT, first);
  else if (rule->most < 0)
    g_string_printf (text, "%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " ...", first,
                     first + rate, first + 2 * rate);
  else
    for (guint64 i = 0; i < (guint64) rule->most; i++)
      g_string_append_printf (text, "%s%" G_GUINT64_FORMAT,
                              i == 0                          ? ""
                              : i + 1 == (guint64) rule->most ? " and "
                                                              : ", ",
                              first + i * rate);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
