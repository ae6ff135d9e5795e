/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/held-args.h"

#include "src/base/append.h"
#include "src/trace/args-merge.h"

/* Of one, and of all together. */
#define MAX_BYTES ((gsize) 16 << 10)
#define MAX_ALL_BYTES ((gsize) 4 << 20)
#define MAX_HELD 16384u
/* What a free place may keep. */
#define MAX_IDLE_BYTES ((gsize) 512)

struct _TtHeldArgs
{
  GPtrArray *texts; /* of GString, by number - 1 */
  GArray *idle;     /* of guint32: numbers that are free */
  GString *merged;
  gsize n_bytes;
};

TtHeldArgs *
tt_held_args_new (void)
{
  TtHeldArgs *self = g_new0 (TtHeldArgs, 1);

  self->texts = g_ptr_array_new ();
  self->idle = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->merged = g_string_new (NULL);
  return self;
}

void
tt_held_args_free (TtHeldArgs *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->texts->len; i++)
    g_string_free (self->texts->pdata[i], TRUE);
  g_ptr_array_unref (self->texts);
  g_array_unref (self->idle);
  g_string_free (self->merged, TRUE);
  g_free (self);
}

guint32
tt_held_args_add (TtHeldArgs *self, const char *json, gsize len)
{
  guint32 number;

  if (len > MAX_BYTES || self->n_bytes + len > MAX_ALL_BYTES || (self->idle->len == 0 && self->texts->len == MAX_HELD))
    return 0;
  if (self->idle->len == 0)
    {
      g_ptr_array_add (self->texts, g_string_sized_new (len));
      number = self->texts->len;
    }
  else
    {
      number = g_array_index (self->idle, guint32, self->idle->len - 1);
      g_array_set_size (self->idle, self->idle->len - 1);
    }
  tt_append (self->texts->pdata[number - 1], json, len);
  self->n_bytes += len;
  return number;
}

const GString *
tt_held_args_text (const TtHeldArgs *self, guint32 number)
{
  return self->texts->pdata[number - 1];
}

gboolean
tt_held_args_join (TtHeldArgs *self, guint32 number, guint32 more)
{
  GString *first = self->texts->pdata[number - 1];
  const GString *second = self->texts->pdata[more - 1];

  g_string_truncate (self->merged, 0);
  gboolean is_merged = tt_args_merge (first->str, first->len, second->str, second->len, self->merged);
  if (is_merged)
    {
      self->n_bytes += self->merged->len - first->len;
      self->texts->pdata[number - 1] = self->merged;
      self->merged = first;
    }
  tt_held_args_drop (self, more);
  return is_merged;
}

void
tt_held_args_drop (TtHeldArgs *self, guint32 number)
{
  GString *text = self->texts->pdata[number - 1];

  self->n_bytes -= text->len;
  if (G_UNLIKELY (text->allocated_len > MAX_IDLE_BYTES))
    {
      g_string_free (text, TRUE);
      self->texts->pdata[number - 1] = g_string_new (NULL);
    }
  else
    g_string_truncate (text, 0);
  g_array_append_val (self->idle, number);
}
