#include "config.h"

#include "formats/chrome-export/private.h"

#include "src/trace/args-merge.h"

/* Arguments wait in a file, by id, until their event is written. */

#define TEXT_BYTES ((gsize) 8 << 20)
#define INDEX_BYTES ((gsize) 2 << 20)

typedef struct
{
  guint64 offset, len;
} Place;

struct _ChromeArgs
{
  TtSpill *text;
  guint64 text_end;
  TtSpill *places; /* of Place, by id */
  guint64 last_id;
};

ChromeArgs *
tt_chrome_args_new (void)
{
  ChromeArgs *self = g_new0 (ChromeArgs, 1);

  self->text = tt_spill_new (TEXT_BYTES);
  self->places = tt_spill_new (INDEX_BYTES);
  return self;
}

void
tt_chrome_args_free (ChromeArgs *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->text);
  tt_spill_free (self->places);
  g_free (self);
}

gboolean
tt_chrome_args_check (const ChromeArgs *self, GError **error)
{
  return tt_spill_check (self->text, error) && tt_spill_check (self->places, error);
}

static void
set_place (ChromeArgs *self, guint64 id, const Place *place)
{
  tt_spill_write (self->places, id * sizeof *place, place, sizeof *place);
}

static Place
get_place (ChromeArgs *self, guint64 id)
{
  Place place = { 0 };

  if (id <= self->last_id)
    tt_spill_read (self->places, id * sizeof place, &place, sizeof place);
  return place;
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
  Place place = { self->text_end, len };

  append (self, text, len);
  set_place (self, ++self->last_id, &place);
  return self->last_id;
}

guint64
tt_chrome_args_add_long (ChromeArgs *self, guint64 len)
{
  Place place = { self->text_end, len };

  set_place (self, ++self->last_id, &place);
  return self->last_id;
}

static void
add_piece (ChromeArgs *self, const TtBatch *batch, guint i)
{
  const TtArgsColumns *args = &batch->args;

  if (args->at[i] == 0)
    {
      Place place = { self->text_end, args->total[i] };

      self->last_id = args->id[i];
      set_place (self, args->id[i], &place);
    }
  if (args->total[i] <= TT_LONG_ARGS)
    append (self, tt_batch_text (batch, args->text[i]), args->len[i]);
}

/* Free it; NULL: too long. */
static char *
get_text (ChromeArgs *self, const Place *place)
{
  if (place->len > TT_MOST_MERGED_ARGS)
    return NULL;
  char *text = g_malloc (place->len + 1);
  tt_spill_read (self->text, place->offset, text, place->len);
  return text;
}

static gboolean
merge (ChromeArgs *self, guint64 first_id, guint64 more_id)
{
  const Place none = { 0 };
  Place first = get_place (self, first_id), more = get_place (self, more_id);
  g_autofree char *first_text = get_text (self, &first);
  g_autofree char *more_text = get_text (self, &more);
  g_autoptr (GString) merged = g_string_new (NULL);

  if (first_id == more_id)
    return TRUE;
  set_place (self, more_id, &none);
  if (first_text == NULL || more_text == NULL || !tt_args_merge (first_text, first.len, more_text, more.len, merged))
    return FALSE;
  first = (Place){ self->text_end, merged->len };
  append (self, merged->str, merged->len);
  set_place (self, first_id, &first);
  return TRUE;
}

void
tt_chrome_args_take (ChromeArgs *self, const TtBatch *batch, TtRepairs *repairs)
{
  for (guint i = 0; i < batch->args.n; i++)
    add_piece (self, batch, i);
  for (guint i = 0; i < batch->merges.n; i++)
    if (!merge (self, batch->merges.args[i], batch->merges.more[i]))
      tt_repairs_add (repairs, TT_REPAIR_ARGS_NOT_MERGED, 0);
}

gsize
tt_chrome_args_get (ChromeArgs *self, guint64 id, GString *text)
{
  Place place = get_place (self, id);

  if (place.len <= TT_LONG_ARGS)
    {
      g_string_set_size (text, place.len);
      tt_spill_read (self->text, place.offset, text->str, place.len);
    }
  return place.len;
}
