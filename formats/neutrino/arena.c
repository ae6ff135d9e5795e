/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/arena.h"

#include <stddef.h>
#include <string.h>

#define BLOCK_SIZE 65536u

struct _TtNlArena
{
  GPtrArray *blocks;
  char *next;
  gsize left;
};

TtNlArena *
tt_nl_arena_new (void)
{
  TtNlArena *self = g_new0 (TtNlArena, 1);

  self->blocks = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
tt_nl_arena_free (TtNlArena *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

gpointer
tt_nl_arena_alloc (TtNlArena *self, gsize size)
{
  gsize step = (size + sizeof (max_align_t) - 1) & ~(sizeof (max_align_t) - 1);

  if (step > self->left)
    {
      self->left = MAX (step, BLOCK_SIZE);
      self->next = g_malloc0 (self->left);
      g_ptr_array_add (self->blocks, self->next);
    }
  gpointer memory = self->next;
  self->next += step;
  self->left -= step;
  return memory;
}

char *
tt_nl_arena_text (TtNlArena *self, const char *text, gsize len)
{
  char *copy = tt_nl_arena_alloc (self, len + 1);

  memcpy (copy, text, len);
  return copy;
}

char *
tt_nl_arena_printf (TtNlArena *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return tt_nl_arena_text (self, text, strlen (text));
}
