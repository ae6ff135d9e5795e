/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/cut.h"

#include <string.h>

#define ELLIPSIS "…"
#define MAX_TEXTS (1u << 20)

struct _TtCuts
{
  guint width;
  GHashTable *texts; /* of all that were added: text -> its cut, NULL: it fits */
  GString *last;     /* of a text that was not added */
};

/* -- widths ---------------------------------------------------------------------------------------- */

static guint
char_width (gunichar c)
{
  return g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
}

static guint
range_width (const char *text, const char *end)
{
  guint width = 0;

  for (; text < end; text = g_utf8_next_char (text))
    width += char_width (g_utf8_get_char (text));
  return width;
}

guint
tt_text_width (const char *text)
{
  return range_width (text, text + strlen (text));
}

/* The end of the longest begin of a range that is at most @width wide. */
static const char *
head_end (const char *text, const char *end, guint width)
{
  guint used = 0;

  for (; text < end; text = g_utf8_next_char (text))
    {
      used += char_width (g_utf8_get_char (text));
      if (used > width)
        break;
    }
  return text;
}

/* The begin of its longest end. */
static const char *
tail_begin (const char *text, const char *end, guint width)
{
  guint used = 0;

  while (end > text)
    {
      const char *before = g_utf8_prev_char (end);

      used += char_width (g_utf8_get_char (before));
      if (used > width)
        break;
      end = before;
    }
  return end;
}

/* -- one text -------------------------------------------------------------------------------------- */

/* The range without its middle, @width wide at most. */
static void
append_ends (GString *out, const char *text, const char *end, guint head_width, guint tail_width)
{
  const char *head = head_end (text, end, head_width), *tail = tail_begin (head, end, tail_width);

  g_string_append_len (out, text, head - text);
  g_string_append (out, ELLIPSIS);
  g_string_append_len (out, tail, end - tail);
}

static gboolean
is_bracket (const char *text, const char *p)
{
  const char *word = "operator";
  gsize len = strlen (word);

  if (p == text || (*p == '>' && p[-1] == '-'))
    return FALSE;
  /* "operator<<=", "operator->*" */
  for (guint i = 0; i < 2 && p > text && (p[-1] == '<' || p[-1] == '>' || p[-1] == '-'); i++)
    p--;
  return (gsize) (p - text) < len || strncmp (p - len, word, len) != 0;
}

/* The longest template arguments of @text: *open is after '<', *close before '>'. */
static gboolean
find_arguments (const char *text, const char **open, const char **close)
{
  const char *begin = NULL;
  guint depth = 0;

  *open = *close = NULL;
  for (const char *p = text; *p != '\0'; p++)
    {
      if ((*p != '<' && *p != '>') || !is_bracket (text, p))
        continue;
      if (*p == '<' && depth++ == 0)
        begin = p + 1;
      if (*p == '>' && depth > 0 && --depth == 0 && (*open == NULL || p - begin > *close - *open))
        {
          *open = begin;
          *close = p;
        }
    }
  return *open != NULL;
}

static void
append_cut (GString *out, const char *text, guint width)
{
  const guint min_arguments = 4;
  const char *end = text + strlen (text), *open, *close;
  guint head_width = width / 2;

  if (find_arguments (text, &open, &close))
    {
      guint before = range_width (text, open), after = range_width (close, end);

      if ((guint64) before + after + 1 + min_arguments <= width)
        {
          guint room = width - before - after - 1;

          g_string_append_len (out, text, open - text);
          append_ends (out, open, close, room - room / 2, room / 2);
          g_string_append (out, close);
          return;
        }
      head_width = MAX (head_width, MIN (before, width * 2 / 3));
    }
  append_ends (out, text, end, MIN (head_width, width - 1), width - 1 - MIN (head_width, width - 1));
}

/* Where a text differs from others: from none of them before @first, from all with @last. */
typedef struct
{
  const char *first, *last;
} Difference;

/* @text cut so that what stands at @place->last is shown, and as much from its first on as there is room for. */
static void
append_around (GString *out, const char *text, const Difference *place, guint width)
{
  const guint before = 2, after = 3;
  const char *end = text + strlen (text);
  guint quarter = width / 4, middle_width = width - 2 * quarter - MIN (width - 2 * quarter, 2);
  const char *last = head_end (place->last, end, after), *first = tail_begin (text, place->first, before);
  guint range = range_width (first, last);

  if (width < 8 || range_width (text, last) + 1 + quarter <= width)
    append_ends (out, text, end, width - 1 - quarter, quarter);
  else if (quarter + 1 + range_width (first, end) <= width ||
           (range > middle_width && quarter + 1 + range_width (place->last, end) <= width))
    append_ends (out, text, end, quarter, width - 1 - quarter);
  else
    {
      const char *middle = range > middle_width ? tail_begin (text, last, middle_width) : first;

      g_string_append_len (out, text, head_end (text, end, quarter) - text);
      g_string_append (out, ELLIPSIS);
      g_string_append_len (out, middle, head_end (middle, end, middle_width) - middle);
      g_string_append (out, ELLIPSIS);
      g_string_append (out, tail_begin (text, end, quarter));
    }
}

/* The same with a number in its middle, the next after @number that makes it none of @used. */
static void
append_numbered (GString *out, const char *text, guint width, GHashTable *used, guint *number)
{
  const char *end = text + strlen (text);
  gsize start = out->len;

  for (;;)
    {
      g_autofree char *mark = g_strdup_printf (ELLIPSIS "#%u" ELLIPSIS, ++*number);
      guint mark_width = tt_text_width (mark), room = width > mark_width ? width - mark_width : 0;
      const char *head = head_end (text, end, room / 2), *tail = tail_begin (head, end, room - room / 2);

      g_string_truncate (out, start);
      g_string_append_len (out, text, head - text);
      g_string_append (out, mark);
      g_string_append (out, tail);
      if (!g_hash_table_contains (used, out->str + start))
        return;
    }
}

/* -- all of them ----------------------------------------------------------------------------------- */

TtCuts *
tt_cuts_new (guint width)
{
  TtCuts *self = g_new0 (TtCuts, 1);

  self->width = MAX (width, 1);
  self->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->last = g_string_new (NULL);
  return self;
}

void
tt_cuts_free (TtCuts *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->texts);
  g_string_free (self->last, TRUE);
  g_free (self);
}

/* What is no UTF-8 has no width: it is left as it is. */
static gboolean
is_too_wide (const TtCuts *self, const char *text)
{
  return g_utf8_validate (text, -1, NULL) && tt_text_width (text) > self->width;
}

/* A text that fits is like the cut of another only if it has an ellipsis. */
void
tt_cuts_add (TtCuts *self, const char *text)
{
  gboolean fits = !is_too_wide (self, text);

  if ((fits && strstr (text, ELLIPSIS) == NULL) || g_hash_table_size (self->texts) >= MAX_TEXTS ||
      g_hash_table_contains (self->texts, text))
    return;

  GString *cut = fits ? NULL : g_string_new (NULL);
  if (cut != NULL)
    append_cut (cut, text, self->width);
  g_hash_table_insert (self->texts, g_strdup (text), cut == NULL ? NULL : g_string_free (cut, FALSE));
}

typedef struct
{
  const char *text, *cut;
} Pair;

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *x = a, *y = b;
  int order = strcmp (x->cut, y->cut);

  return order != 0 ? order : strcmp (x->text, y->text);
}

static gsize
common_bytes (const char *a, const char *b)
{
  gsize n = 0;

  while (a[n] != '\0' && a[n] == b[n])
    n++;
  return n;
}

/* Two letters may begin with the same byte. */
static const char *
letter_at (const char *text, gsize n)
{
  while (n > 0 && ((guchar) text[n] & 0xc0) == 0x80)
    n--;
  return text + n;
}

/* Of the text at @i among those of its cut, from @from to before @to: they are sorted, so its neighbours have most in
 * common with it, and the outermost have in common what all have. */
static Difference
find_difference (const Pair *pairs, guint from, guint i, guint to)
{
  const char *text = pairs[i].text;
  gsize first = to - from > 1 ? common_bytes (pairs[from].text, pairs[to - 1].text) : 0, last = 0;

  if (i > from)
    last = common_bytes (pairs[i - 1].text, text);
  if (i + 1 < to)
    last = MAX (last, common_bytes (pairs[i + 1].text, text));
  return (Difference){ letter_at (text, first), letter_at (text, last) };
}

/* Free it. */
static char *
cut_alike (TtCuts *self, const char *text, const Difference *place, GHashTable *used, guint *number)
{
  GString *cut = g_string_new (NULL);

  append_around (cut, text, place, self->width);
  if (tt_text_width (cut->str) > self->width || g_hash_table_contains (used, cut->str))
    {
      g_string_truncate (cut, 0);
      append_numbered (cut, text, self->width, used, number);
    }
  return g_string_free (cut, FALSE);
}

/* @pairs: sorted. The others are settled, and among @used. */
static void
tell_apart (TtCuts *self, const GArray *pairs, const gboolean *is_alike, GHashTable *used)
{
  const Pair *all = (const Pair *) (const void *) pairs->data;
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  guint number = 0;

  for (guint from = 0, to; from < pairs->len; from = to)
    {
      for (to = from + 1; to < pairs->len && g_str_equal (all[to].cut, all[from].cut);)
        to++;
      for (guint i = from; i < to; i++)
        {
          Difference place = find_difference (all, from, i, to);
          char *cut = is_alike[i] ? cut_alike (self, all[i].text, &place, used, &number) : NULL;

          g_ptr_array_add (found, cut);
          if (cut != NULL)
            g_hash_table_add (used, cut);
        }
    }
  /* Until here the pairs hold the cuts of before. */
  for (guint i = 0; i < pairs->len; i++)
    if (is_alike[i])
      g_hash_table_insert (self->texts, g_strdup (all[i].text), found->pdata[i]);
}

void
tt_cuts_settle (TtCuts *self)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_autoptr (GHashTable) used = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer text, cut;

  g_hash_table_iter_init (&iter, self->texts);
  while (g_hash_table_iter_next (&iter, &text, &cut))
    if (cut == NULL)
      g_hash_table_add (used, text);
    else
      {
        const Pair pair = { text, cut };
        g_array_append_val (pairs, pair);
      }
  g_array_sort (pairs, compare_pairs);

  const Pair *all = (const Pair *) (const void *) pairs->data;
  g_autofree gboolean *is_alike = g_new0 (gboolean, pairs->len);
  for (guint i = 0; i < pairs->len; i++)
    is_alike[i] = (i > 0 && g_str_equal (all[i - 1].cut, all[i].cut)) ||
                  (i + 1 < pairs->len && g_str_equal (all[i + 1].cut, all[i].cut)) ||
                  g_hash_table_contains (used, all[i].cut);
  for (guint i = 0; i < pairs->len; i++)
    if (!is_alike[i])
      g_hash_table_add (used, (gpointer) all[i].cut);
  tell_apart (self, pairs, is_alike, used);
}

const char *
tt_cuts_get (TtCuts *self, const char *text)
{
  const char *cut = g_hash_table_lookup (self->texts, text);

  if (cut != NULL)
    return cut;
  if (!is_too_wide (self, text))
    return text;
  g_string_truncate (self->last, 0);
  append_cut (self->last, text, self->width);
  return self->last->str;
}
