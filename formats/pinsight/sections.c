/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

static const TtSamplingRule install_rule = { .starts_at = 0, .most = -1, .rate = 1 };

/* -- lexgions ------------------------------------------------------------------------------------- */

TtConfigLexgion *
tt_config_lexgion_new (const TtConfigDomains *domains)
{
  TtConfigLexgion *self = g_new0 (TtConfigLexgion, 1);

  self->domain = TT_CONFIG_NO_DOMAIN;
  self->rule = install_rule;
  self->has_mask = g_new0 (gboolean, domains->domains->len);
  self->mask = g_new0 (guint64, domains->domains->len);
  self->sets = g_new0 (guint64, domains->domains->len);
  self->constraints = g_ptr_array_new_with_free_func (tt_punit_set_free);
  return self;
}

void
tt_config_lexgion_free (gpointer data)
{
  TtConfigLexgion *self = data;

  if (self == NULL)
    return;
  tt_lex_id_free (self->id);
  g_free (self->has_mask);
  g_free (self->mask);
  g_free (self->sets);
  g_ptr_array_unref (self->constraints);
  g_free (self->end_action);
  g_free (self->end_trigger);
  g_free (self);
}

/* Everything of @from but what it is called and the constraints, which are of one section. */
static void
copy_lexgion (const TtConfigDomains *domains, TtConfigLexgion *to, const TtConfigLexgion *from)
{
  guint n = domains->domains->len;

  to->rule = from->rule;
  memcpy (to->has_mask, from->has_mask, n * sizeof *to->has_mask);
  memcpy (to->mask, from->mask, n * sizeof *to->mask);
  memcpy (to->sets, from->sets, n * sizeof *to->sets);
  g_free (to->end_action);
  g_free (to->end_trigger);
  to->end_action = g_strdup (from->end_action);
  to->end_trigger = g_strdup (from->end_trigger);
  to->timeout_s = from->timeout_s;
}

void
tt_punit_section_free (gpointer data)
{
  TtPunitSection *self = data;

  if (self == NULL)
    return;
  g_ptr_array_unref (self->targets);
  g_ptr_array_unref (self->constraints);
  g_free (self);
}

/* -- sets in the scope of now --------------------------------------------------------------------- */

static GPtrArray *
clip_sets (const Parser *self, const GPtrArray *sets)
{
  GPtrArray *clipped = g_ptr_array_new_with_free_func (tt_punit_set_free);

  for (guint i = 0; i < sets->len; i++)
    {
      const TtPunitSet *set = sets->pdata[i];
      const TtConfigScope *scope = &self->config->scopes[set->kind];
      TtPunitSet *copy = tt_punit_set_new (set->kind, set->line, set->column);

      for (guint k = 0; k < set->ids->len; k++)
        {
          const TtIdRange *range = &g_array_index (set->ids, TtIdRange, k);
          guint32 low = MAX (range->low, scope->low), high = MIN (range->high, scope->high);
          if (low <= high)
            tt_id_set_add (copy->ids, low, high);
        }
      g_ptr_array_add (clipped, copy);
    }
  return clipped;
}

static gboolean
sets_are_equal (const GPtrArray *a, const GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const TtPunitSet *one = a->pdata[i], *other = NULL;
      for (guint k = 0; k < b->len; k++)
        if (((const TtPunitSet *) b->pdata[k])->kind == one->kind)
          other = b->pdata[k];
      if (other == NULL || other->ids->len != one->ids->len ||
          (one->ids->len > 0 && memcmp (one->ids->data, other->ids->data, one->ids->len * sizeof (TtIdRange)) != 0))
        return FALSE;
    }
  return TRUE;
}

/* -- warnings of the order of sections ------------------------------------------------------------ */

static const char *
target_at (const Parser *self, const TtConfigHeader *header)
{
  return self->line + header->column - 1;
}

static void
warn_of_second (Parser *self, const char *at, guint first_line)
{
  tt_config_warning (self, at, "W-DUP-SECTION", g_strdup ("what this section sets is set on top of that one"),
                     "this section is there already, in line %u", first_line);
}

static void
warn_of_late_default (Parser *self, const TtConfigHeader *header)
{
  tt_config_warning (self, target_at (self, header), "W-LATE-DEFAULT",
                     g_strdup ("put defaults before the sections that inherit from them"),
                     "sections above have copied this default; what changes here does not reach them");
}

static gboolean
refuse_action (Parser *self, const TtConfigHeader *header)
{
  gboolean is_default = header->target == TT_CONFIG_DOMAIN_DEFAULT || header->target == TT_CONFIG_LEXGION_DEFAULT ||
                        header->target == TT_CONFIG_LEXGION_DOMAIN_DEFAULT;

  if (header->action == TT_CONFIG_RESET && !is_default)
    tt_config_warning (self, target_at (self, header), "W-ACTION", g_strdup ("SET changes it, REMOVE takes it away"),
                       "only defaults can be reset; this section is ignored");
  else if (header->action == TT_CONFIG_REMOVE && header->target != TT_CONFIG_PUNITS &&
           header->target != TT_CONFIG_ALL_PUNITS && header->target != TT_CONFIG_LEXGIONS)
    tt_config_warning (self, target_at (self, header), "W-ACTION", g_strdup ("RESET gives it its first values"),
                       "this section cannot be removed; it is ignored");
  else
    return FALSE;
  self->state = SECTION_LEFT_OUT;
  return TRUE;
}

/* -- what the headers do -------------------------------------------------------------------------- */

static void
open_domain_default (Parser *self, const TtConfigHeader *header)
{
  guint domain = (guint) header->domain;
  TtDomainDefault *of = &self->config->defaults[domain];

  if (self->is_domain_copied[domain])
    warn_of_late_default (self, header);
  if (header->action == TT_CONFIG_RESET)
    {
      of->events = tt_config_domain (self->domains, domain)->installed;
      of->mode = TT_MODE_TRACING;
    }
  else if (of->line != 0)
    warn_of_second (self, target_at (self, header), of->line);
  of->line = of->line != 0 ? of->line : header->line;
}

static void
copy_domain (Parser *self, TtConfigLexgion *lexgion, int domain)
{
  if (domain < 0)
    return;
  lexgion->has_mask[domain] = TRUE;
  lexgion->mask[domain] = self->config->defaults[domain].events;
  self->is_domain_copied[domain] = TRUE;
}

static void
inherit (Parser *self, TtConfigLexgion *lexgion, const TtConfigHeader *header)
{
  for (guint i = 0; i < header->bases->len; i++)
    copy_domain (self, lexgion, g_array_index (header->bases, int, i));
}

static void
constrain (Parser *self, TtConfigLexgion *lexgion, const TtConfigHeader *header)
{
  g_autoptr (GPtrArray) sets = clip_sets (self, header->constraints);

  /* A kind of units that was constrained before is constrained anew; others stay. */
  for (guint i = 0; i < sets->len; i++)
    {
      const TtPunitSet *set = sets->pdata[i];
      for (guint k = lexgion->constraints->len; k-- > 0;)
        if (((const TtPunitSet *) lexgion->constraints->pdata[k])->kind == set->kind)
          g_ptr_array_remove_index (lexgion->constraints, k);
    }
  g_ptr_array_extend_and_steal (lexgion->constraints, g_steal_pointer (&sets));
  lexgion->has_constraints |= header->has_constraints;
}

static void
open_lexgion_default (Parser *self, const TtConfigHeader *header)
{
  TtConfigLexgion *lexgion = self->config->lexgion_default;

  if (self->is_lexgion_copied)
    warn_of_late_default (self, header);
  if (header->action == TT_CONFIG_RESET)
    {
      TtConfigLexgion *fresh = tt_config_lexgion_new (self->domains);
      fresh->line = lexgion->line;
      tt_config_lexgion_free (lexgion);
      self->config->lexgion_default = lexgion = fresh;
    }
  else if (lexgion->line != 0)
    warn_of_second (self, target_at (self, header), lexgion->line);
  lexgion->line = lexgion->line != 0 ? lexgion->line : header->line;
  inherit (self, lexgion, header);
  constrain (self, lexgion, header);
  g_ptr_array_add (self->lexgions, lexgion);
}

static TtConfigLexgion *
make_domain_lexgion (Parser *self, guint domain, guint line)
{
  TtConfigLexgion *lexgion = tt_config_lexgion_new (self->domains);

  copy_lexgion (self->domains, lexgion, self->config->lexgion_default);
  lexgion->domain = (int) domain;
  lexgion->line = line;
  lexgion->has_mask[domain] = TRUE;
  lexgion->mask[domain] = self->config->defaults[domain].events;
  tt_config_lexgion_free (self->config->domain_lexgions->pdata[domain]);
  self->config->domain_lexgions->pdata[domain] = lexgion;
  return lexgion;
}

static void
open_domain_lexgion (Parser *self, const TtConfigHeader *header)
{
  guint domain = (guint) header->domain;
  TtConfigLexgion *lexgion = self->config->domain_lexgions->pdata[domain];

  if (lexgion != NULL && header->action != TT_CONFIG_RESET)
    warn_of_second (self, target_at (self, header), lexgion->line);
  else
    {
      lexgion = make_domain_lexgion (self, domain, header->line);
      self->is_lexgion_copied = self->is_domain_copied[domain] = TRUE;
    }
  inherit (self, lexgion, header);
  constrain (self, lexgion, header);
  g_ptr_array_add (self->lexgions, lexgion);
}

static gboolean
ids_are_equal (const TtLexId *a, const TtLexId *b)
{
  if (a->is_address || b->is_address)
    return a->is_address && b->is_address && a->address == b->address;
  return a->domain == b->domain && strcmp (a->name, b->name) == 0 && g_strcmp0 (a->file, b->file) == 0;
}

static TtConfigLexgion *
find_entry (const Parser *self, const TtLexId *id)
{
  for (guint i = 0; i < self->config->lexgions->len; i++)
    {
      TtConfigLexgion *lexgion = self->config->lexgions->pdata[i];
      if (ids_are_equal (lexgion->id, id))
        return lexgion;
    }
  return NULL;
}

static void
open_lexgion (Parser *self, const TtConfigHeader *header, const TtLexId *id)
{
  const char *at = self->line + id->column - 1;
  TtConfigLexgion *lexgion = find_entry (self, id);

  if (header->action == TT_CONFIG_REMOVE)
    {
      if (lexgion == NULL || lexgion->is_removed)
        tt_config_warning (self, at, "W-ACTION", NULL, "there is no such section to remove");
      else
        lexgion->is_removed = TRUE;
      return;
    }
  if (lexgion == NULL)
    {
      lexgion = tt_config_lexgion_new (self->domains);
      lexgion->id = tt_lex_id_copy (id);
      lexgion->line = header->line;
      copy_lexgion (self->domains, lexgion, self->config->lexgion_default);
      self->is_lexgion_copied = TRUE;
      g_ptr_array_add (self->config->lexgions, lexgion);
    }
  else if (!lexgion->is_removed)
    warn_of_second (self, at, lexgion->line);
  lexgion->is_removed = FALSE;
  inherit (self, lexgion, header);
  constrain (self, lexgion, header);
  g_ptr_array_add (self->lexgions, lexgion);
}

static gboolean
is_about (const TtPunitSection *section, const TtConfigHeader *header, const GPtrArray *targets)
{
  if ((int) section->domain != header->domain)
    return FALSE;
  if (header->target != TT_CONFIG_ALL_PUNITS)
    return sets_are_equal (section->targets, targets);
  for (guint i = 0; i < section->targets->len; i++)
    if (((const TtPunitSet *) section->targets->pdata[i])->kind == header->kind)
      return TRUE;
  return FALSE;
}

static void
remove_sections (Parser *self, const TtConfigHeader *header, const GPtrArray *targets)
{
  guint n_before = self->config->sections->len;

  for (guint i = n_before; i-- > 0;)
    if (is_about (self->config->sections->pdata[i], header, targets))
      g_ptr_array_remove_index (self->config->sections, i);
  if (self->config->sections->len == n_before)
    tt_config_warning (self, target_at (self, header), "W-ACTION", NULL, "there is no such section to remove");
}

static void
open_punits (Parser *self, const TtConfigHeader *header)
{
  g_autoptr (GPtrArray) targets = clip_sets (self, header->punits);
  TtPunitSection *section = NULL;
  guint domain = (guint) header->domain;

  if (header->action == TT_CONFIG_REMOVE)
    {
      remove_sections (self, header, targets);
      return;
    }
  g_autoptr (GPtrArray) constraints = clip_sets (self, header->constraints);
  for (guint i = 0; i < self->config->sections->len && section == NULL; i++)
    {
      TtPunitSection *other = self->config->sections->pdata[i];
      if (is_about (other, header, targets) && sets_are_equal (other->constraints, constraints))
        section = other;
    }
  if (section != NULL)
    warn_of_second (self, target_at (self, header), section->line);
  else
    {
      section = g_new0 (TtPunitSection, 1);
      section->domain = domain;
      section->line = header->line;
      section->targets = g_steal_pointer (&targets);
      section->constraints = g_steal_pointer (&constraints);
      section->has_constraints = header->has_constraints;
      section->inherits = header->bases->len > 0;
      section->events = section->inherits ? self->config->defaults[domain].events : 0;
      self->is_domain_copied[domain] |= section->inherits;
      g_ptr_array_add (self->config->sections, section);
    }
  self->section = section;
}

static void
open_plain (Parser *self, const TtConfigHeader *header, gboolean *is_there)
{
  if (*is_there)
    tt_config_warning (self, target_at (self, header), "W-DUP-SECTION",
                       g_strdup ("what this section sets is set on top of that one"), "this section is there already");
  *is_there = TRUE;
}

void
tt_config_open_section (Parser *self, const TtConfigHeader *header)
{
  self->state = SECTION_OPEN;
  self->header = header;
  self->section = NULL;
  g_ptr_array_set_size (self->lexgions, 0);
  g_hash_table_remove_all (self->keys);
  if (refuse_action (self, header))
    return;
  switch (header->target)
    {
    case TT_CONFIG_DOMAIN_DEFAULT:
      open_domain_default (self, header);
      break;
    case TT_CONFIG_PUNITS:
    case TT_CONFIG_ALL_PUNITS:
      open_punits (self, header);
      break;
    case TT_CONFIG_LEXGION_DEFAULT:
      open_lexgion_default (self, header);
      break;
    case TT_CONFIG_LEXGION_DOMAIN_DEFAULT:
      open_domain_lexgion (self, header);
      break;
    case TT_CONFIG_LEXGIONS:
      for (guint i = 0; i < header->ids->len; i++)
        open_lexgion (self, header, header->ids->pdata[i]);
      break;
    case TT_CONFIG_KNOB:
      open_plain (self, header, &self->has_knobs);
      break;
    case TT_CONFIG_ENERGY:
      open_plain (self, header, &self->has_energy);
      break;
    case TT_CONFIG_MANIFEST:
      open_plain (self, header, &self->has_manifest);
      break;
    }
  if (header->action == TT_CONFIG_REMOVE)
    self->state = SECTION_LEFT_OUT;
}

void
tt_config_complete (Parser *self)
{
  for (guint i = 0; i < self->domains->domains->len; i++)
    if (self->config->domain_lexgions->pdata[i] == NULL)
      make_domain_lexgion (self, i, 0);
}
