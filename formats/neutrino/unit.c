/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/unit.h"

static void
free_probe (gpointer data)
{
  TtNlProbe *self = data;

  tt_nl_code_free (self->code);
}

static void
free_section (gpointer data)
{
  TtNlSection *self = data;

  g_ptr_array_unref (self->before);
  g_ptr_array_unref (self->after);
}

TtNlUnit *
tt_nl_unit_new (TtNlArena *arena, TtNlMessages *messages)
{
  TtNlUnit *self = g_new0 (TtNlUnit, 1);

  self->arena = arena;
  self->messages = messages;
  self->variables = g_array_new (FALSE, TRUE, sizeof (TtNlVariable));
  self->maps = g_ptr_array_new ();
  self->probes = g_ptr_array_new_with_free_func (free_probe);
  self->sections = g_ptr_array_new_with_free_func (free_section);
  return self;
}

void
tt_nl_unit_free (TtNlUnit *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->variables);
  g_ptr_array_unref (self->maps);
  g_ptr_array_unref (self->sections);
  g_ptr_array_unref (self->probes);
  g_free (self);
}
