/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/ptx-save.h"

#include "formats/neutrino/output.h"

/* -- maps ------------------------------------------------------------------------------------------- */

static gboolean
faults (guint n_wide, guint n_narrow)
{
  guint bytes = 8 * n_wide + 4 * n_narrow;

  return (n_wide >= 2 && bytes % 16 != 0) || (n_narrow >= 4 && (bytes % 16 != 0 || n_wide % 2 != 0));
}

/* The fewest fields to add: one of 64 bits, two of 32, or both. */
static const char *
find_padding (guint n_wide, guint n_narrow)
{
  if (!faults (n_wide + 1, n_narrow))
    return "a u64 field";
  return !faults (n_wide, n_narrow + 2) ? "two u32 fields" : "a u64 and two u32 fields";
}

gboolean
tt_nl_ptx_check_maps (const TtNlUnit *unit)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < unit->maps->len; i++)
    {
      const TtNlMap *map = tt_nl_unit_map (unit, i);
      guint n_wide = 0;

      for (guint field = 0; field < map->n_fields; field++)
        n_wide += map->fields[field].width == TT_NL_U64;
      if (!faults (n_wide, map->n_fields - n_wide))
        continue;
      tt_nl_error (unit->messages, map->offset,
                   "records of map '%s' would fault in Neutrino's CUDA engine, which joins fields into stores of 16 "
                   "bytes at addresses that are no multiple of 16: add %s to the %" G_GUINT64_FORMAT " bytes",
                   map->name, find_padding (n_wide, map->n_fields - n_wide), map->size);
      ok = FALSE;
    }
  return ok;
}

/* -- lines ------------------------------------------------------------------------------------------ */

static void
write_line (const TtNlPtxSaves *self,
            const TtNlInstruction *save,
            const GPtrArray *items,
            guint first,
            guint n,
            const TtNlOperand *mask,
            GString *text)
{
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *guard =
      mask == NULL || !self->keeps_guards ? g_strdup ("") : g_strdup_printf ("@%%np%u ", mask->index);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", (const char *) items->pdata[first + i]);
  if (save->map < 0)
    tt_nl_line (text, "%sSAVE.u%u {%s};", guard, (guint) save->width, list->str);
  else
    tt_nl_line (text, "%sSAVE [ %s ] { %s };", guard, tt_nl_unit_map (self->unit, (guint) save->map)->name, list->str);
}

/* Whether the engine of the seed's dialect stores @n items in one line as they are, at addresses that are a multiple of
 * what it stores at once. */
static gboolean
is_stored_whole (const TtNlPtxSaves *self, guint width, guint n, gint64 offset)
{
  gboolean is_aligned = self->record_bytes % 16 == 0 && offset != TT_NL_PTX_VARIES && offset % 16 == 0;

  if (width == TT_NL_U64)
    return n < 2 || is_aligned;
  return n % 2 == 0 && (n < 4 || is_aligned);
}

static gboolean
are_stored_whole (const TtNlPtxSaves *self, const TtNlInstruction *saves, guint n)
{
  gint64 offset = self->offset;

  for (guint i = 0; i < n; i++)
    {
      if (!is_stored_whole (self, saves[i].width, saves[i].n_items, offset))
        return FALSE;
      if (offset != TT_NL_PTX_VARIES)
        offset += saves[i].n_items * (saves[i].width / 8);
    }
  return TRUE;
}

/* In pieces that are stored at multiples of 8. */
static void
write_pieces (TtNlPtxSaves *self,
              const TtNlInstruction *saves,
              const GPtrArray *items,
              const TtNlOperand *mask,
              GString *text)
{
  guint at_once = saves->width == TT_NL_U64 ? 1 : 2;

  if (items->len % at_once != 0 && !self->has_failed)
    {
      tt_nl_error (self->unit->messages, saves->offset,
                   "Neutrino's CUDA engine for @nl.probe stores u32 values by twos and loses one of %u: save an even "
                   "number of them in a row, or one with dtype u64",
                   items->len);
      self->has_failed = TRUE;
    }
  for (guint i = 0; i + at_once <= items->len; i += at_once)
    write_line (self, saves, items, i, at_once, mask, text);
}

static void
write_unguarded (TtNlPtxSaves *self,
                 const TtNlInstruction *saves,
                 guint n,
                 const GPtrArray *items,
                 const TtNlOperand *mask,
                 GString *text)
{
  guint first = 0;

  if (saves->map >= 0 || self->unit->is_scalar || are_stored_whole (self, saves, n))
    for (guint i = 0; i < n; first += saves[i++].n_items)
      write_line (self, &saves[i], items, first, saves[i].n_items, mask, text);
  else
    write_pieces (self, saves, items, mask, text);
}

void
tt_nl_ptx_write_saves (TtNlPtxSaves *self,
                       const TtNlInstruction *saves,
                       guint n,
                       const GPtrArray *items,
                       const TtNlOperand *mask,
                       GString *text)
{
  gboolean jumps = mask != NULL && !self->keeps_guards;

  if (jumps)
    tt_nl_line (text, "and.pred %%np%u, %%np%u, %%np%u; { @!%%np%u bra NSKIP;", mask->index, mask->index, mask->index,
                mask->index);
  write_unguarded (self, saves, n, items, mask, text);
  if (jumps)
    tt_nl_line (text, "and.pred %%np%u, %%np%u, %%np%u; NSKIP: }", mask->index, mask->index, mask->index);
  if (mask != NULL)
    self->offset = TT_NL_PTX_VARIES;
  else if (self->offset != TT_NL_PTX_VARIES)
    self->offset += items->len * (saves->width / 8);
}
