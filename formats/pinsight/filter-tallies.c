/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/filter-private.h"

/* What became of the events, for people. */

static const char *const reasons[N_WHYS] = {
  [WHY_SAMPLED] = "chosen by its counters",
  [WHY_IN_REGION] = "inside a recorded region",
  [WHY_NO_REGION] = "inside no region",
  [WHY_AFTER_WORK] = "after work that is recorded",
  [WHY_IN_CALL] = "called by a recorded function",
  [WHY_NOT_ASKED] = "recorded whatever is on",
  [WHY_DEVICE_ON] = "device_activity is on",
  [WHY_OTHER_KEPT] = "no event of PInsight",
  [WHY_OTHER] = "no event of PInsight",
  [WHY_NO_EVENT] = "PInsight knows no such event",
  [WHY_MODE] = "the domain is off",
  [WHY_COUNTS_ONLY] = "the domain counts only",
  [WHY_WINDOW_OVER] = "after the end of its window",
  [WHY_EVENT_OFF] = "the event is off",
  [WHY_SECTION_OFF] = "the event is off",
  [WHY_SCOPE] = "outside the ids of the domain",
  [WHY_MASK] = "the event is off",
  [WHY_CONSTRAINT] = "the constraints do not hold",
  [WHY_NOT_SAMPLED] = "not chosen by its counters",
  [WHY_REGION_OUT] = "inside a region that is not recorded",
  [WHY_WORK_OUT] = "after work that is not recorded",
  [WHY_CALL_OUT] = "called by a function that is not recorded",
  [WHY_DEVICE_OFF] = "device_activity is off",
};

static gboolean
is_of_section (Why why)
{
  return why == WHY_SECTION_OFF;
}

/* 0: not in the file. */
static guint
line_of (const Tally *tally)
{
  if (tally->rule == NULL)
    return 0;
  return is_of_section (tally->why) ? ((const TtPunitSection *) tally->rule)->line
                                    : ((const TtConfigLexgion *) tally->rule)->line;
}

static int
by_rule (gconstpointer a, gconstpointer b)
{
  const Tally *one = *(const Tally *const *) a, *other = *(const Tally *const *) b;
  gboolean one_dropped = one->why >= FIRST_DROPPED, other_dropped = other->why >= FIRST_DROPPED;

  if (one_dropped != other_dropped)
    return one_dropped ? 1 : -1;
  if (one->domain != other->domain)
    return one->domain < other->domain ? -1 : 1;
  if (line_of (one) != line_of (other))
    return line_of (one) < line_of (other) ? -1 : 1;
  return (int) one->why - (int) other->why;
}

static char *
describe_rule (const TtConfig *config, const Tally *tally)
{
  if (tally->rule == NULL && tally->domain < 0)
    return NULL;
  if (tally->rule == NULL)
    return g_strconcat (tt_config_domain (config->domains, (guint) tally->domain)->name, ".default", NULL);
  g_autofree char *name = is_of_section (tally->why) ? tt_punit_section_text (config, tally->rule)
                                                     : tt_config_lexgion_text (config, tally->rule);
  guint line = line_of (tally);
  return line == 0 ? g_steal_pointer (&name) : g_strdup_printf ("%s, line %u", name, line);
}

static void
tally_free (gpointer data)
{
  TtConfigTally *tally = data;

  g_free (tally->rule);
  g_free (tally);
}

GPtrArray *
tt_config_filter_tallies (const TtConfigFilter *self)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GPtrArray *tallies = g_ptr_array_new_with_free_func (tally_free);
  GHashTableIter iter;
  gpointer found;

  g_hash_table_iter_init (&iter, self->tallies);
  while (g_hash_table_iter_next (&iter, &found, NULL))
    g_ptr_array_add (sorted, found);
  g_ptr_array_sort (sorted, by_rule);
  for (guint i = 0; i < sorted->len; i++)
    {
      const Tally *from = sorted->pdata[i];
      TtConfigTally *tally = g_new0 (TtConfigTally, 1);

      tally->is_kept = from->why < FIRST_DROPPED;
      tally->domain = from->domain < 0 ? NULL : tt_config_domain (self->config->domains, (guint) from->domain)->name;
      tally->rule = describe_rule (self->config, from);
      tally->why = reasons[from->why];
      tally->count = from->count;
      g_ptr_array_add (tallies, tally);
    }
  return tallies;
}
