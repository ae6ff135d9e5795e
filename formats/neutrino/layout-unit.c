/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/compile.h"
#include "formats/neutrino/syntax.h"

/* Where the next save of a section puts its bytes. */
typedef struct
{
  gint64 offset; /* TT_NL_OFFSET_VARIES: not the same on all paths */
  guint n;       /* fields so far */
  guint depth;   /* of ifs */
} Place;

static void
name_field (const TtNlUnit *unit, const TtNlExpr *expr, guint n, GString *name)
{
  if (expr->kind == TT_NL_EXPR_VARIABLE)
    g_string_assign (name, tt_nl_unit_variable (unit, (guint) expr->value)->name);
  else if (expr->kind == TT_NL_EXPR_FUNCTION)
    g_string_assign (name, tt_nl_ops[expr->op].name);
  else if (expr->kind == TT_NL_EXPR_CAST)
    name_field (unit, expr->a, n, name);
  else
    g_string_printf (name, "value%u", n);
}

static void
add_save (const TtNlUnit *unit, const TtNlStatement *save, Place *place, TtNlLayoutArea *area)
{
  for (const TtNlArgument *item = save->items; item != NULL; item = item->next)
    {
      g_autoptr (GString) name = g_string_new (NULL);

      name_field (unit, item->value, place->n++, name);
      tt_nl_layout_add_field (area, name->str, save->width, place->offset, place->depth > 0);
      if (place->offset != TT_NL_OFFSET_VARIES)
        place->offset += save->width / 8;
    }
}

static void
add_block (const TtNlUnit *unit, const TtNlStatement *block, Place *place, TtNlLayoutArea *area)
{
  for (const TtNlStatement *statement = block; statement != NULL; statement = statement->next)
    if (statement->kind == TT_NL_STATEMENT_CALL)
      add_save (unit, statement, place, area);
    else if (statement->kind == TT_NL_STATEMENT_IF)
      {
        gint64 before = place->offset, then;

        place->depth++;
        add_block (unit, statement->then, place, area);
        then = place->offset;
        place->offset = before;
        add_block (unit, statement->otherwise, place, area);
        place->depth--;
        if (place->offset != then)
          place->offset = TT_NL_OFFSET_VARIES;
      }
}

static void
add_section (const TtNlUnit *unit, const TtNlSection *section, TtNlLayout *layout)
{
  TtNlLayoutArea *area = tt_nl_layout_add_area (layout, section->name, section->level, section->size, section->cap);
  const GPtrArray *lists[] = { section->before, section->after };
  Place place = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint j = 0; j < lists[i]->len; j++)
      add_block (unit, ((const TtNlProbe *) g_ptr_array_index (lists[i], j))->body, &place, area);
}

TtNlLayout *
tt_nl_program_layout (const TtNlProgram *self)
{
  const TtNlUnit *unit = tt_nl_program_unit (self);
  TtNlLayout *layout = tt_nl_layout_new ();

  for (guint i = 0; i < unit->sections->len && unit->dialect == TT_NL_SEED; i++)
    if (tt_nl_unit_section (unit, i)->size > 0)
      add_section (unit, tt_nl_unit_section (unit, i), layout);
  for (guint i = 0; i < unit->maps->len; i++)
    {
      const TtNlMap *map = tt_nl_unit_map (unit, i);
      TtNlLayoutArea *area = tt_nl_layout_add_area (layout, map->name, map->level, map->size, map->cap);
      gint64 offset = 0;

      for (guint field = 0; field < map->n_fields; field++)
        {
          tt_nl_layout_add_field (area, map->fields[field].name, map->fields[field].width, offset, FALSE);
          offset += map->fields[field].width / 8;
        }
    }
  return layout;
}
