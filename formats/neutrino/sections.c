/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/sections.h"

#include <string.h>

static TtNlSection *
new_section (TtNlUnit *unit, const char *name, TtNlLevel level, const char *position)
{
  TtNlSection *section = tt_nl_arena_new0 (unit->arena, TtNlSection);

  section->name = name;
  section->level = level;
  section->position = position;
  section->is_kernel = g_str_equal (position, "kernel");
  section->before = g_ptr_array_new ();
  section->after = g_ptr_array_new ();
  return section;
}

static const char *
unique_name (TtNlUnit *unit, const TtNlSection *own, const char *name)
{
  for (guint i = 0; i < unit->sections->len; i++)
    if (tt_nl_unit_section (unit, i) != own && g_str_equal (tt_nl_unit_section (unit, i)->name, name))
      {
        /* Another may have that name, too. */
        name = tt_nl_arena_printf (unit->arena, "%s_", name);
        i = G_MAXUINT;
      }
  return name;
}

/* The seed names a section by who saves, today all names are joined. */
static const char *
section_name (TtNlUnit *unit, const TtNlSection *section, GPtrArray *members)
{
  const TtNlProbe *first = g_ptr_array_index (members, 0);
  g_autoptr (GString) joined = g_string_new (NULL);

  for (guint i = 0; i < members->len; i++)
    {
      const TtNlProbe *probe = g_ptr_array_index (members, i);

      if (unit->dialect == TT_NL_SEED && probe->size > 0)
        return unique_name (unit, section, probe->name);
      g_string_append_printf (joined, "%s%s", i > 0 ? "_" : "", probe->name);
    }
  if (unit->dialect == TT_NL_SEED)
    return unique_name (unit, section, first->name);
  return unique_name (unit, section, tt_nl_arena_text (unit->arena, joined->str, joined->len));
}

void
tt_nl_sections_build (TtNlUnit *unit)
{
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) members = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < unit->probes->len; i++)
    {
      TtNlProbe *probe = tt_nl_unit_probe (unit, i);
      g_autofree char *key = g_strdup_printf ("%u %s", (guint) probe->level, probe->position);
      guint index = GPOINTER_TO_UINT (g_hash_table_lookup (by_key, key));

      if (index == 0)
        {
          g_ptr_array_add (unit->sections, new_section (unit, "", probe->level, probe->position));
          g_ptr_array_add (members, g_ptr_array_new ());
          index = unit->sections->len;
          g_hash_table_insert (by_key, g_steal_pointer (&key), GUINT_TO_POINTER (index));
        }
      TtNlSection *section = tt_nl_unit_section (unit, index - 1);
      if (section->size > 0 && probe->size > 0 && section->cap != probe->cap)
        tt_nl_error (unit->messages, probe->offset,
                     "probe '%s' shares a record with those before at this position and level: give them one cap",
                     probe->name);
      section->cap = probe->size > 0 ? probe->cap : section->cap;
      section->size += probe->size;
      g_ptr_array_add (probe->is_before ? section->before : section->after, probe);
      g_ptr_array_add (g_ptr_array_index (members, index - 1), probe);
    }
  for (guint i = 0, n_dynamic = 0; i < unit->sections->len; i++)
    {
      TtNlSection *section = tt_nl_unit_section (unit, i);
      const GPtrArray *own = g_ptr_array_index (members, i);
      const TtNlProbe *first = g_ptr_array_index (own, 0);

      n_dynamic += section->size > 0 && section->cap == 0;
      if (n_dynamic > 1)
        tt_nl_error (unit->messages, first->offset, "only probes of one position and level may have cap=\"dynamic\"");
      section->name = section_name (unit, section, g_ptr_array_index (members, i));
    }
}

/* -- initial values ------------------------------------------------------------------------------- */

/* Variables that are surely written, for probes of warps and of threads. */
typedef struct
{
  gboolean *by_level[2];
  gsize size;
} Written;

static void
read_operand (TtNlUnit *unit, const TtNlOperand *operand, const gboolean *written)
{
  if (operand->kind == TT_NL_VARIABLE && !written[operand->index])
    tt_nl_unit_variable (unit, operand->index)->needs_initial = TRUE;
}

/* A write within an if lets the old value through. */
static void
scan_code (TtNlUnit *unit, const TtNlCode *code, gboolean *written)
{
  guint depth = 0;

  for (guint i = 0; i < code->list->len; i++)
    {
      const TtNlInstruction *instruction = tt_nl_code_at (code, i);

      depth += instruction->op == TT_NL_IF;
      depth -= instruction->op == TT_NL_ENDIF;
      read_operand (unit, &instruction->a, written);
      read_operand (unit, &instruction->b, written);
      read_operand (unit, &instruction->c, written);
      for (guint item = 0; item < instruction->n_items; item++)
        read_operand (unit, &instruction->items[item], written);
      if (instruction->d.kind == TT_NL_VARIABLE && depth == 0)
        written[instruction->d.index] = TRUE;
      else
        read_operand (unit, &instruction->d, written);
    }
}

/* What a warp's leader has written the other threads have not. */
static void
scan_first (TtNlUnit *unit, const TtNlProbe *probe, Written *written)
{
  gboolean *own = written->by_level[probe->level], *leader = written->by_level[TT_NL_WARP];

  scan_code (unit, probe->code, own);
  for (guint i = 0; i < unit->variables->len; i++)
    leader[i] = leader[i] || own[i];
}

static void
scan_later (TtNlUnit *unit, const GPtrArray *probes, const Written *written)
{
  for (guint i = 0; i < probes->len; i++)
    {
      const TtNlProbe *probe = g_ptr_array_index (probes, i);
      g_autofree gboolean *copy = g_memdup2 (written->by_level[probe->level], written->size);

      scan_code (unit, probe->code, copy);
    }
}

void
tt_nl_sections_find_initial (TtNlUnit *unit)
{
  gsize size = (unit->variables->len + 1) * sizeof (gboolean);
  g_autofree gboolean *threads = g_malloc0 (size), *warps = g_malloc0 (size);
  Written written = { .by_level = { [TT_NL_THREAD] = threads, [TT_NL_WARP] = warps }, .size = size };

  for (guint i = 0; i < unit->sections->len; i++)
    {
      const TtNlSection *section = tt_nl_unit_section (unit, i);

      for (guint p = 0; p < section->before->len && section->is_kernel; p++)
        scan_first (unit, g_ptr_array_index (section->before, p), &written);
    }
  for (guint i = 0; i < unit->sections->len; i++)
    {
      const TtNlSection *section = tt_nl_unit_section (unit, i);

      if (!section->is_kernel)
        scan_later (unit, section->before, &written);
      scan_later (unit, section->after, &written);
    }
}

/* -- declarations --------------------------------------------------------------------------------------- */

/* Of kernel sections the first with code at the beginning, else the first; -1: there is none. */
static int
find_kernel_section (const TtNlUnit *unit)
{
  int first = -1;

  for (guint i = 0; i < unit->sections->len; i++)
    {
      const TtNlSection *section = tt_nl_unit_section (unit, i);

      if (section->is_kernel && section->before->len > 0)
        return (int) i;
      if (section->is_kernel && first < 0)
        first = (int) i;
    }
  return first;
}

/* An injector runs the code of a warp's section in one thread: the others' variables would stay unset. */
static gboolean
leaves_threads_unset (const TtNlUnit *unit, const TtNlSection *home)
{
  gboolean needs_initial = FALSE, has_threads = FALSE;

  for (guint i = 0; i < unit->variables->len; i++)
    needs_initial = needs_initial || tt_nl_unit_variable (unit, i)->needs_initial;
  for (guint i = 0; i < unit->sections->len; i++)
    has_threads = has_threads || tt_nl_unit_section (unit, i)->level == TT_NL_THREAD;
  return home->level == TT_NL_WARP && needs_initial && has_threads;
}

void
tt_nl_sections_find_home (TtNlUnit *unit)
{
  int home = find_kernel_section (unit);

  if (home >= 0 && !leaves_threads_unset (unit, tt_nl_unit_section (unit, (guint) home)))
    {
      unit->home = (guint) home;
      return;
    }
  TtNlSection *section = new_section (unit, "init", TT_NL_THREAD, "kernel");
  section->name = unique_name (unit, section, section->name);
  g_ptr_array_insert (unit->sections, 0, section);
  unit->home = 0;
}
