/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/kept-args.h"

#include "src/base/spill.h"

#include "src/store/scan.h"
#include "src/trace/args-merge.h"

#define TEXT_BYTES ((gsize) 8 << 20)
#define INDEX_BYTES ((gsize) 2 << 20)

typedef struct
{
  guint64 offset, len;
} Extent;

struct _ChromeArgs
{
  TtSpill *text;
  guint64 text_end;
  TtSpill *extents; /* of Extent, by id */
  guint64 last_id;
};

ChromeArgs *
tt_chrome_args_new (void)
{
  ChromeArgs *self = g_new0 (ChromeArgs, 1);

  self->text = tt_spill_new (TEXT_BYTES);
  self->extents = tt_spill_new (INDEX_BYTES);
  return self;
}

void
tt_chrome_args_free (ChromeArgs *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->text);
  tt_spill_free (self->extents);
  g_free (self);
}

gboolean
tt_chrome_args_check (const ChromeArgs *self, GError **error)
{
  return tt_spill_check (self->text, error) && tt_spill_check (self->extents, error);
}

static void
set_extent (ChromeArgs *self, guint64 id, const Extent *extent)
{
  tt_spill_write (self->extents, id * sizeof *extent, extent, sizeof *extent);
}

static Extent
get_extent (ChromeArgs *self, guint64 id)
{
  Extent extent = { 0 };

  if (id <= self->last_id)
    tt_spill_read (self->extents, id * sizeof extent, &extent, sizeof extent);
  return extent;
}

static void
append (ChromeArgs *self, const char *text, gsize len)
{
  tt_spill_write (self->text, self->text_end, text, len);
  self->text_end += len;
}

guint64
tt_chrome_args_add (ChromeArgs *self, const char *text, gsize len)
{
  Extent extent = { self->text_end, len };

  append (self, text, len);
  set_extent (self, ++self->last_id, &extent);
  return self->last_id;
}

guint64
tt_chrome_args_add_long (ChromeArgs *self, guint64 len)
{
  Extent extent = { self->text_end, len };

  set_extent (self, ++self->last_id, &extent);
  return self->last_id;
}

static void
add_piece (ChromeArgs *self, const TtBatch *batch, guint i)
{
  const TtArgsColumns *args = &batch->args;

  if (args->at[i] == 0)
    {
      Extent extent = { self->text_end, args->total[i] };

      self->last_id = args->id[i];
      set_extent (self, args->id[i], &extent);
    }
  if (args->total[i] <= TT_LONG_ARGS)
    append (self, tt_batch_text (batch, args->text[i]), args->len[i]);
}

/* Free it; NULL: too long. */
static char *
get_text (ChromeArgs *self, const Extent *extent)
{
  if (extent->len > TT_MAX_MERGED_ARGS)
    return NULL;
  char *text = g_malloc (extent->len + 1);
  tt_spill_read (self->text, extent->offset, text, extent->len);
  return text;
}

static gboolean
merge (ChromeArgs *self, guint64 first_id, guint64 more_id)
{
  const Extent none = { 0 };
  Extent first = get_extent (self, first_id), more = get_extent (self, more_id);
  g_autofree char *first_text = get_text (self, &first);
  g_autofree char *more_text = get_text (self, &more);
  g_autoptr (GString) merged = g_string_new (NULL);

  if (first_id == more_id)
    return TRUE;
  set_extent (self, more_id, &none);
  if (first_text == NULL || more_text == NULL || !tt_args_merge (first_text, first.len, more_text, more.len, merged))
    return FALSE;
  first = (Extent){ self->text_end, merged->len };
  append (self, merged->str, merged->len);
  set_extent (self, first_id, &first);
  return TRUE;
}

static void
drop (ChromeArgs *self, guint64 id)
{
  set_extent (self, id, &(Extent){ 0 });
}

void
tt_chrome_args_take (ChromeArgs *self, const TtBatch *batch, TtRepairs *repairs)
{
  for (guint i = 0; i < batch->args.n; i++)
    add_piece (self, batch, i);
  for (guint i = 0; i < batch->merges.n; i++)
    if (batch->merges.args[i] == 0)
      drop (self, batch->merges.more[i]);
    else if (!merge (self, batch->merges.args[i], batch->merges.more[i]))
      tt_repairs_add (repairs, TT_REPAIR_ARGS_NOT_MERGED, 0);
}

gsize
tt_chrome_args_get (ChromeArgs *self, guint64 id, GString *text)
{
  Extent extent = get_extent (self, id);

  if (extent.len <= TT_LONG_ARGS)
    {
      g_string_set_size (text, extent.len);
      tt_spill_read (self->text, extent.offset, text->str, extent.len);
    }
  return extent.len;
}
