/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/gcn-pack.h"

/* Temporaries of one kind. */
typedef struct
{
  guint *last;  /* instruction that reads each for the last time; 0: none */
  guint *place; /* what each is now */
  GArray *free; /* of guint: places that are free */
  guint n_places;
} Pool;

typedef struct
{
  Pool pools[3]; /* TT_NL_WIDE, TT_NL_NARROW, TT_NL_PREDICATE */
} Packer;

static Pool *
find_pool (Packer *self, const TtNlOperand *operand)
{
  if (operand->kind < TT_NL_WIDE || operand->kind > TT_NL_PREDICATE)
    return NULL;
  return &self->pools[operand->kind - TT_NL_WIDE];
}

static void
note_read (Packer *self, const TtNlOperand *operand, guint at)
{
  Pool *pool = find_pool (self, operand);

  if (pool != NULL)
    pool->last[operand->index] = at;
}

static void
assign_place (Packer *self, TtNlOperand *operand)
{
  Pool *pool = find_pool (self, operand);
  guint place;

  if (pool == NULL)
    return;
  if (pool->free->len > 0)
    {
      place = g_array_index (pool->free, guint, pool->free->len - 1);
      g_array_set_size (pool->free, pool->free->len - 1);
    }
  else
    place = pool->n_places++;
  pool->place[operand->index] = place;
}

/* Sets the place of @operand; gives it back if this was the last time. */
static void
use_place (Packer *self, TtNlOperand *operand, guint at)
{
  Pool *pool = find_pool (self, operand);

  if (pool == NULL)
    return;
  guint place = pool->place[operand->index];
  if (pool->last[operand->index] == at)
    {
      pool->last[operand->index] = G_MAXUINT;
      g_array_append_val (pool->free, place);
    }
  operand->index = place;
}

static void
pack_instruction (Packer *self, TtNlInstruction *instruction, guint at)
{
  /* First the new one, so that it shares its register with none of what is read. */
  assign_place (self, &instruction->d);
  use_place (self, &instruction->d, 0);
  use_place (self, &instruction->a, at);
  use_place (self, &instruction->b, at);
  use_place (self, &instruction->c, at);
  for (guint i = 0; i < instruction->n_items; i++)
    use_place (self, &instruction->items[i], at);
}

TtNlCode *
tt_nl_code_pack (const TtNlCode *code)
{
  const guint counts[] = { code->n_wide, code->n_narrow, code->n_predicates };
  TtNlCode *packed = tt_nl_code_new ();
  Packer self = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      self.pools[i].last = g_new0 (guint, counts[i] + 1);
      self.pools[i].place = g_new0 (guint, counts[i] + 1);
      self.pools[i].free = g_array_new (FALSE, FALSE, sizeof (guint));
    }
  for (guint i = 0; i < code->list->len; i++)
    {
      const TtNlInstruction *instruction = tt_nl_code_at (code, i);

      note_read (&self, &instruction->a, i);
      note_read (&self, &instruction->b, i);
      note_read (&self, &instruction->c, i);
      for (guint item = 0; item < instruction->n_items; item++)
        note_read (&self, &instruction->items[item], i);
    }
  g_array_append_vals (packed->list, code->list->data, code->list->len);
  for (guint i = 0; i < packed->list->len; i++)
    pack_instruction (&self, tt_nl_code_at (packed, i), i);
  packed->n_wide = self.pools[0].n_places;
  packed->n_narrow = self.pools[1].n_places;
  packed->n_predicates = self.pools[2].n_places;
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_free (self.pools[i].last);
      g_free (self.pools[i].place);
      g_array_unref (self.pools[i].free);
    }
  return packed;
}
