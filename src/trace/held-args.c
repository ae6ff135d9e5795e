/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/held-args.h"

#include "src/base/append.h"
#include "src/trace/args-merge.h"

#include <string.h>

/* Of one, and of all together. */
#define MAX_BYTES ((gsize) 16 << 10)
#define MAX_ALL_BYTES ((gsize) 4 << 20)
#define MAX_HELD 16384u
/* What a free place may keep. */
#define MAX_IDLE_BYTES ((gsize) 512)
/* Each key of one text is searched in another up to this product of their lengths. */
#define MAX_SEARCH ((gsize) 1 << 20)

struct _TtHeldArgs
{
  GPtrArray *texts;  /* of GString, by number - 1 */
  guint32 *idle;     /* numbers that are free: room for all */
  guint8 *are_plain; /* by number - 1 */
  guint n_idle;
  GString *merged;
  gsize n_bytes;
};

TtHeldArgs *
tt_held_args_new (void)
{
  TtHeldArgs *self = g_new0 (TtHeldArgs, 1);

  self->texts = g_ptr_array_new ();
  self->idle = g_new (guint32, MAX_HELD);
  self->are_plain = g_new (guint8, MAX_HELD);
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
  g_free (self->idle);
  g_free (self->are_plain);
  g_string_free (self->merged, TRUE);
  g_free (self);
}

guint32
tt_held_args_add (TtHeldArgs *self, const char *json, gsize len, gboolean is_plain)
{
  guint32 number;

  if (len > MAX_BYTES || self->n_bytes + len > MAX_ALL_BYTES || (self->n_idle == 0 && self->texts->len == MAX_HELD))
    return 0;
  if (self->n_idle == 0)
    {
      g_ptr_array_add (self->texts, g_string_sized_new (len));
      number = self->texts->len;
    }
  else
    number = self->idle[--self->n_idle];
  tt_append (self->texts->pdata[number - 1], json, len);
  self->are_plain[number - 1] = is_plain != FALSE;
  self->n_bytes += len;
  return number;
}

const GString *
tt_held_args_text (const TtHeldArgs *self, guint32 number)
{
  return self->texts->pdata[number - 1];
}

/* Of two plain objects, where one's members are the first or the last ones of the other, the longer one is both. It has the same
 * quotes there as the shorter one: what is a member in one is no part of a text in the other. */

static gboolean
begins_with (const GString *whole, const GString *part)
{
  const gsize len = part->len - 1;

  return whole->len > part->len && whole->str[len] == ',' && memcmp (whole->str, part->str, len) == 0;
}

static gboolean
ends_with (const GString *whole, const GString *part)
{
  const gsize len = part->len - 1;

  return whole->len > part->len && whole->str[whole->len - len - 1] == ',' &&
         memcmp (whole->str + whole->len - len, part->str + 1, len) == 0;
}

static gboolean
is_both (const GString *first, const GString *more)
{
  return g_string_equal (first, more) || begins_with (first, more) || ends_with (first, more) ||
         begins_with (more, first);
}

/* Appends the members of @more. */
static void
append_members (GString *first, const GString *more)
{
  if (first->len > 2)
    first->str[first->len - 1] = ',';
  else
    g_string_truncate (first, 1);
  tt_append (first, more->str + 1, more->len - 1);
}

gboolean
tt_held_args_join (TtHeldArgs *self, guint32 number, guint32 more)
{
  GString *first = self->texts->pdata[number - 1];
  GString *second = self->texts->pdata[more - 1];
  const gboolean are_plain = self->are_plain[number - 1] && self->are_plain[more - 1];

  if (are_plain && is_both (first, second))
    {
      if (second->len > first->len)
        {
          self->texts->pdata[number - 1] = second;
          self->texts->pdata[more - 1] = first;
        }
      tt_held_args_drop (self, more);
      return TRUE;
    }
  if (are_plain && second->len > 2 && first->len * second->len <= MAX_SEARCH &&
      tt_args_share_no_key (first->str, first->len, second->str, second->len))
    {
      self->n_bytes -= first->len;
      append_members (first, second);
      self->n_bytes += first->len;
      tt_held_args_drop (self, more);
      return TRUE;
    }
  g_string_truncate (self->merged, 0);
  gboolean is_merged = tt_args_merge (first->str, first->len, second->str, second->len, self->merged);
  if (is_merged)
    {
      self->n_bytes += self->merged->len - first->len;
      self->texts->pdata[number - 1] = self->merged;
      self->merged = first;
      self->are_plain[number - 1] = are_plain;
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
    {
      text->len = 0;
      *text->str = '\0';
    }
  self->idle[self->n_idle++] = number;
}
