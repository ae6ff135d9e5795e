/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/lexgion-spans.h"

#include "analyzers/arg-value.h"

#include <string.h>

TtLexgionRole
tt_lexgion_role (const TtStoredName *name)
{
  static const struct
  {
    const char *op_cat, *op_name;
    TtLexgionRole role;
  } roles[] = {
    { "COMP", "omp_parallel", TT_LEXGION_PARALLEL },
    { "COMP", "omp_implicit_task", TT_LEXGION_TASK },
    { "SYNC", "omp_barrier", TT_LEXGION_WAIT },
    { "SYNC", "omp_join", TT_LEXGION_WAIT },
  };
  TtLexgionRole role = TT_LEXGION_OTHER;

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (roles); i++)
    if (g_strcmp0 (name->op_cat, roles[i].op_cat) == 0 && g_strcmp0 (name->op_name, roles[i].op_name) == 0)
      role = roles[i].role;
  return role;
}

guint64
tt_lexgion_codeptr (const TtEvent *event, const char *name)
{
  const char *text = tt_arg_value (event->args, name);
  char *end;

  if (text == NULL || strncmp (text, "\"0x", 3) != 0)
    return 0;
  guint64 codeptr = g_ascii_strtoull (text + 3, &end, 16);
  return *end == '"' ? codeptr : 0;
}

/* A number of an invocation; 0: there is none. */
static guint32
find_number (const TtEvent *event, const char *name)
{
  const char *text = tt_arg_value (event->args, name);
  guint64 number = text == NULL || !g_ascii_isdigit (*text) ? 0 : g_ascii_strtoull (text, NULL, 10);

  /* PInsight's number of what is in no region has all bits set. */
  return number < G_MAXUINT32 ? (guint32) number : 0;
}

gboolean
tt_lexgion_site (TtStore *store,
                 const TtEvent *event,
                 guint64 codeptr,
                 gboolean is_own,
                 TtSampledSite *site,
                 guint32 *number)
{
  guint32 own = find_number (event, "record_id"), around = find_number (event, "parallel_record_id");
  guint64 region = around == 0 ? 0 : tt_lexgion_codeptr (event, "parallel_codeptr");

  /* Work without a section of its own has the number of its region. */
  if (region != 0 && !is_own && (own == 0 || own == around))
    {
      *site = (TtSampledSite){ region, tt_store_process_of_thread (store, event->thread), TRUE };
      *number = around;
      return TRUE;
    }
  *site = (TtSampledSite){ codeptr, event->thread, FALSE };
  *number = own;
  return own != 0 && codeptr != 0;
}

gboolean
tt_lexgion_is_at_most (const TtEvent *event)
{
  return (event->flags & (TT_FLAG_INFERRED | TT_FLAG_UNCLOSED)) == TT_FLAG_INFERRED &&
         tt_arg_value (event->args, "dur_between_ns") != NULL;
}
