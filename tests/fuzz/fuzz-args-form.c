/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/args-format.h"
#include "src/store/import/args-tree.h"

#include <string.h>

/*
 * Any bytes as texts of arguments, a line each: a text is its form with its numbers, and a tree of the forms of the
 * first texts finds of each text what taking it apart does.
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

#define MAX_TEXTS 24u
/* A tree may leave out further ones. */
#define MAX_KNOWN 12u

typedef struct
{
  char *text; /* of its own length, so that reading beyond it shows */
  gsize len, form_len;
  gint64 numbers[TT_ARGS_NUMBERS];
  guint n_numbers;
  char form[TT_ARGS_FORM_ROOM];
} Text;

static void
take_apart (Text *self, const guint8 *bytes, gsize len)
{
  g_autoptr (GString) filled = g_string_new (NULL);

  self->text = g_malloc (MAX (len, 1));
  memcpy (self->text, bytes, len);
  self->len = len;
  self->form_len = tt_args_take_apart (self->text, len, self->form, self->numbers, &self->n_numbers);
  g_assert ((self->form_len == 0) == (len == 0 || memchr (self->text, '\0', len) != NULL));
  if (self->form_len == 0)
    return;
  g_assert (tt_args_fill (self->form, self->form_len, self->numbers, self->n_numbers, filled));
  g_assert (filled->len == len && memcmp (filled->str, self->text, len) == 0);
  g_assert (self->n_numbers == 0 ||
            !tt_args_fill (self->form, self->form_len, self->numbers, self->n_numbers - 1, filled));
  g_assert (filled->len == len);
}

/* The first of the @n texts with the form of @text, from 1; 0: none. */
static guint32
find_like (const Text *texts, guint n, const Text *text)
{
  for (guint i = 0; i < n && text->form_len > 0; i++)
    if (texts[i].form_len == text->form_len && memcmp (texts[i].form, text->form, text->form_len) == 0)
      return i + 1;
  return 0;
}

static void
check_found (const TtArgsTree *tree, const Text *text, guint32 wanted)
{
  gint64 numbers[TT_ARGS_NUMBERS];
  guint n;

  g_assert (tt_args_tree_find (tree, text->text, text->len, numbers, &n) == wanted);
  if (wanted == 0)
    return;
  g_assert (n == text->n_numbers && memcmp (numbers, text->numbers, n * sizeof *numbers) == 0);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static Text texts[MAX_TEXTS];
  g_autoptr (TtArgsTree) tree = tt_args_tree_new ();
  const guint8 *at = bytes, *end = bytes + len;
  guint n = 0;

  while (at < end && n < MAX_TEXTS)
    {
      const guint8 *line_end = memchr (at, '\n', (gsize) (end - at));
      const gsize line_len = (gsize) ((line_end == NULL ? end : line_end) - at);
      take_apart (&texts[n++], at, MIN (line_len, TT_ARGS_FORM_BYTES));
      at += MIN (line_len + 1, (gsize) (end - at));
    }
  const guint n_known = MIN (n / 2 + n % 2, MAX_KNOWN);
  for (guint i = 0; i < n_known; i++)
    if (find_like (texts, n_known, &texts[i]) == i + 1)
      tt_args_tree_add (tree, texts[i].form, texts[i].form_len, i + 1);
  for (guint i = 0; i < n; i++)
    {
      check_found (tree, &texts[i], find_like (texts, n_known, &texts[i]));
      g_clear_pointer (&texts[i].text, g_free);
    }
  return 0;
}
