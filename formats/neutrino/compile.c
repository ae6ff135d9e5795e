/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/compile.h"

#include "formats/neutrino/check.h"
#include "formats/neutrino/ir-print.h"
#include "formats/neutrino/lower.h"
#include "formats/neutrino/sections.h"
#include "formats/neutrino/toml.h"

#include <string.h>

struct _TtNlProgram
{
  TtNlArena *arena;
  char *name, *text;
  TtNlMessages *messages;
  TtNlUnit *unit;
};

static void
verify (TtNlProgram *self)
{
  for (guint i = 0; i < self->unit->probes->len; i++)
    {
      const TtNlProbe *probe = tt_nl_unit_probe (self->unit, i);
      g_autoptr (GError) error = NULL;

      if (!tt_nl_code_verify (self->unit, probe->code, &error))
        tt_nl_error (self->messages, probe->offset, "%s", error->message);
    }
}

static void
compile (TtNlProgram *self, gsize len)
{
  g_autoptr (GArray) tokens = tt_nl_lex (self->text, len, self->arena, self->messages);

  tt_nl_check (self->unit, tt_nl_parse (tokens, self->arena, self->messages));
  if (!tt_nl_program_is_good (self))
    return;
  tt_nl_sections_build (self->unit);
  tt_nl_check_sizes (self->unit);
  if (!tt_nl_program_is_good (self))
    return;
  tt_nl_lower (self->unit);
  if (!tt_nl_program_is_good (self))
    return;
  verify (self);
  tt_nl_sections_find_initial (self->unit);
  tt_nl_sections_find_home (self->unit);
}

TtNlProgram *
tt_nl_program_new (const char *name, const char *text, gsize len)
{
  TtNlProgram *self = g_new0 (TtNlProgram, 1);
  gsize taken = MIN (len, TT_NL_MAX_BYTES);

  self->arena = tt_nl_arena_new ();
  self->name = g_strdup (name);
  self->text = g_malloc (taken + 1);
  if (taken > 0)
    memcpy (self->text, text, taken);
  self->text[taken] = '\0';
  self->messages = tt_nl_messages_new (self->name, self->text, taken);
  self->unit = tt_nl_unit_new (self->arena, self->messages);
  if (len > TT_NL_MAX_BYTES)
    tt_nl_error (self->messages, 0, "the source has more than %u bytes", TT_NL_MAX_BYTES);
  else
    compile (self, len);
  return self;
}

void
tt_nl_program_free (TtNlProgram *self)
{
  if (self == NULL)
    return;
  tt_nl_unit_free (self->unit);
  tt_nl_messages_free (self->messages);
  tt_nl_arena_free (self->arena);
  g_free (self->text);
  g_free (self->name);
  g_free (self);
}

gboolean
tt_nl_program_is_good (const TtNlProgram *self)
{
  return tt_nl_messages_n_errors (self->messages) == 0;
}

void
tt_nl_program_print_messages (const TtNlProgram *self, GString *text)
{
  tt_nl_messages_print (self->messages, text);
}

const TtNlUnit *
tt_nl_program_unit (const TtNlProgram *self)
{
  return self->unit;
}

void
tt_nl_program_keep_guards (TtNlProgram *self)
{
  self->unit->keeps_guards = TRUE;
}

void
tt_nl_program_be_scalar (TtNlProgram *self)
{
  self->unit->is_scalar = TRUE;
}

gboolean
tt_nl_program_write (TtNlProgram *self, const TtNlTarget *target, GString *toml)
{
  g_auto (TtNlOutput) output = { 0 };

  g_return_val_if_fail (tt_nl_program_is_good (self), FALSE);
  tt_nl_output_init (&output, self->unit);
  if (!target->emit (target, self->unit, &output))
    return FALSE;
  tt_nl_toml_write (self->unit, &output, toml);
  return TRUE;
}
