/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/config-filter.h"

#include <string.h>

/*
 * Any bytes as a configuration. Whatever it is, it can be described, explained and applied; without errors its canonical
 * form says the same.
 *
 * Links: tests/fuzz/no-comparisons.c
 * Options: -entropic=0
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static void
ask (const TtConfig *config, const TtConfigDomains *domains)
{
  g_autofree gint64 *punits = g_new0 (gint64, domains->kinds->len);

  for (guint domain = 0; domain < domains->domains->len; domain++)
    {
      tt_config_ask_event (config, domain, 0, punits, FALSE);
      const TtConfigLexgion *lexgion = tt_config_find_lexgion (config, domain, 0x10, "f", "a.c");
      g_assert_nonnull (lexgion);
      g_autofree char *name = tt_config_lexgion_text (config, lexgion),
                      *numbers = tt_sampling_describe (&lexgion->rule);
      g_assert (name != NULL && numbers != NULL);
    }
}

static void
apply (const TtConfig *config, const TtConfigOperations *operations)
{
  static const TtConfigFilterOptions options = { 0 };
  g_autoptr (TtConfigFilter) filter = tt_config_filter_new (config, operations, &options);
  TtSpanFilter *base = tt_config_filter_base (filter);
  const TtFilterName names[] = { { .op_name = "omp_parallel" }, { .op_name = "omp_work" }, { .op_name = "MPI_Send" } };

  base->klass->see_process (base, 1, 0);
  base->klass->see_thread (base, 1, 1, "0");
  for (guint32 i = 0; i < 3; i++)
    base->klass->see_name (base, i + 1, &names[i]);
  for (guint32 i = 0; i < 12; i++)
    {
      const TtFilterBegin begin = { .thread = 1, .name = 1 + i % 3, .ts_ns = i, .end_ns = TT_NO_TIME };
      TtFilterVerdict verdict = base->klass->begin (base, &begin);
      if (verdict.token != 0)
        base->klass->end (base, verdict.token, i + 1);
    }
  g_autoptr (GPtrArray) tallies = tt_config_filter_tallies (filter);
  g_assert_cmpuint (tallies->len, >, 0);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static TtConfigDomains *domains;
  static TtConfigOperations *operations;

  if (domains == NULL)
    {
      domains = tt_config_domains_load (NULL, NULL);
      operations = domains == NULL ? NULL : tt_config_operations_load (domains, NULL);
      g_assert_nonnull (operations);
    }
  g_autoptr (TtConfig) config = tt_config_parse (domains, "fuzz.conf", (const char *) bytes, len);
  g_autoptr (GString) text = g_string_new (NULL), json = g_string_new (NULL), again = g_string_new (NULL);

  tt_config_describe_faults (config, (const char *) bytes, len, text);
  g_assert_true (g_utf8_validate (text->str, (gssize) text->len, NULL));
  ask (config, domains);
  apply (config, operations);
  tt_config_write_json (config, json);
  g_string_truncate (text, 0);
  tt_config_write_canonical (config, TRUE, text);
  if (config->n_errors > 0)
    return 0;

  g_autoptr (TtConfig) same = tt_config_parse (domains, "fuzz.conf", text->str, text->len);
  g_assert_cmpuint (same->n_errors, ==, 0);
  g_assert_cmpuint (same->n_warnings, ==, config->n_warnings);
  tt_config_write_canonical (same, TRUE, again);
  g_assert_cmpstr (text->str, ==, again->str);
  return 0;
}
