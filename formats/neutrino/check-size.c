/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/check.h"

/*
 * In the seed's dialect a probe declares how many bytes it saves. With ifs that is the most that any path saves, and a
 * value of 64 bits must come to lie at a multiple of 8 on every path.
 */

typedef struct
{
  guint64 least, most; /* bytes saved so far */
  guint places;        /* bit 0: they may be a multiple of 8; bit 1: they may be one and a half */
} Saved;

static guint
count_items (const TtNlStatement *statement)
{
  guint n = 0;

  for (const TtNlArgument *item = statement->items; item != NULL; item = item->next)
    n++;
  return n;
}

static void
add_save (TtNlUnit *unit, const TtNlStatement *statement, Saved *saved, gboolean *is_wide)
{
  guint n = count_items (statement), bytes = n * (statement->width / 8);

  if (statement->width == TT_NL_U64)
    {
      *is_wide = TRUE;
      if (saved->places & 2)
        tt_nl_error (unit->messages, statement->offset,
                     "u64 values would follow %s4 bytes, not at a multiple of 8: save them first",
                     saved->most > 4 ? "8 n + " : "");
    }
  else if (n % 2 == 1)
    saved->places = (saved->places & 1) << 1 | saved->places >> 1;
  saved->least += bytes;
  saved->most += bytes;
}

static void
add_block (TtNlUnit *unit, const TtNlStatement *block, Saved *saved, gboolean *is_wide)
{
  for (const TtNlStatement *statement = block; statement != NULL; statement = statement->next)
    if (statement->kind == TT_NL_STATEMENT_CALL)
      add_save (unit, statement, saved, is_wide);
    else if (statement->kind == TT_NL_STATEMENT_IF)
      {
        Saved otherwise = *saved;

        add_block (unit, statement->then, saved, is_wide);
        add_block (unit, statement->otherwise, &otherwise, is_wide);
        saved->least = MIN (saved->least, otherwise.least);
        saved->most = MAX (saved->most, otherwise.most);
        saved->places |= otherwise.places;
      }
}

static void
check_probes (TtNlUnit *unit, const GPtrArray *probes, Saved *section, gboolean *is_wide)
{
  for (guint i = 0; i < probes->len; i++)
    {
      const TtNlProbe *probe = g_ptr_array_index (probes, i);
      Saved saved = { .places = section->places };

      add_block (unit, probe->body, &saved, is_wide);
      if (saved.most != probe->size)
        tt_nl_error (unit->messages, probe->offset,
                     "probe '%s' saves %s%" G_GUINT64_FORMAT " bytes, size=%" G_GUINT64_FORMAT, probe->name,
                     saved.least < saved.most ? "up to " : "", saved.most, probe->size);
      section->places = saved.places;
    }
}

/* -- places ----------------------------------------------------------------------------------------- */

static const TtNlStatement *
find_save (const TtNlStatement *block)
{
  const TtNlStatement *found = NULL;

  for (const TtNlStatement *statement = block; statement != NULL && found == NULL; statement = statement->next)
    {
      if (statement->kind == TT_NL_STATEMENT_CALL)
        return statement;
      if (statement->kind == TT_NL_STATEMENT_IF && (found = find_save (statement->then)) == NULL)
        found = find_save (statement->otherwise);
    }
  return found;
}

/* An injector puts the text for a kernel's beginning there as it is. */
static void
check_places (TtNlUnit *unit)
{
  for (guint i = 0; i < unit->probes->len; i++)
    {
      const TtNlProbe *probe = tt_nl_unit_probe (unit, i);
      const TtNlStatement *save = probe->is_kernel && probe->is_before ? find_save (probe->body) : NULL;

      if (save != NULL)
        tt_nl_error (unit->messages, save->offset,
                     "save() where a kernel begins is expanded by no injector: save at its end, or at instructions");
    }
}

void
tt_nl_check_sizes (TtNlUnit *unit)
{
  for (guint i = 0; i < unit->sections->len && unit->dialect == TT_NL_SEED; i++)
    {
      const TtNlSection *section = tt_nl_unit_section (unit, i);
      Saved saved = { .places = 1 };
      gboolean is_wide = FALSE;

      check_probes (unit, section->before, &saved, &is_wide);
      check_probes (unit, section->after, &saved, &is_wide);
      if (is_wide && section->size % 8 != 0 && tt_nl_messages_n_errors (unit->messages) == 0)
        {
          const GPtrArray *probes = section->before->len > 0 ? section->before : section->after;
          const TtNlProbe *first = g_ptr_array_index (probes, 0);
          tt_nl_warning (unit->messages, first->offset,
                         "records of %" G_GUINT64_FORMAT " bytes put u64 values at addresses that are no multiple of 8",
                         section->size);
        }
    }
  if (tt_nl_messages_n_errors (unit->messages) == 0)
    check_places (unit);
}
