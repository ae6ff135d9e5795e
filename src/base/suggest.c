/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/suggest.h"

#include <string.h>

#define MAX_WORD 64
#define MIN_STEM 3

/* Edit distance without regard to case; two neighbours swapped count once. */
static guint
distance (const char *a, gsize a_len, const char *b, gsize b_len)
{
  guint rows[3][MAX_WORD + 1], *two_back = rows[0], *back = rows[1], *row = rows[2];

  for (gsize j = 0; j <= b_len; j++)
    back[j] = (guint) j;
  for (gsize i = 1; i <= a_len; i++)
    {
      row[0] = (guint) i;
      for (gsize j = 1; j <= b_len; j++)
        {
          char x = g_ascii_tolower (a[i - 1]), y = g_ascii_tolower (b[j - 1]);

          row[j] = MIN (MIN (back[j], row[j - 1]) + 1, back[j - 1] + (x != y));
          if (i > 1 && j > 1 && x == g_ascii_tolower (b[j - 2]) && y == g_ascii_tolower (a[i - 2]))
            row[j] = MIN (row[j], two_back[j - 2] + 1);
        }
      guint *swap = two_back;
      two_back = back;
      back = row;
      row = swap;
    }
  return back[b_len];
}

const char *
tt_suggest (const char *word, const char *const *words)
{
  gsize len = strlen (word);
  const char *best = NULL, *longer = NULL, *stem = NULL;
  guint best_distance = G_MAXUINT, n_longer = 0;

  if (len == 0 || len > MAX_WORD)
    return NULL;
  for (; *words != NULL; words++)
    {
      gsize word_len = strlen (*words);
      guint apart;

      if (word_len > MAX_WORD)
        continue;
      apart = distance (word, len, *words, word_len);
      if (apart < best_distance)
        {
          best_distance = apart;
          best = *words;
        }
      if (g_ascii_strncasecmp (word, *words, len) == 0 && n_longer++ == 0)
        longer = *words;
      if (word_len >= MIN_STEM && g_ascii_strncasecmp (word, *words, word_len) == 0 &&
          (stem == NULL || word_len > strlen (stem)))
        stem = *words;
    }

  if (best_distance <= MAX (len, 3) / 3)
    return best;
  /* "mark" for "markdown", "duration" for "dur": far by letters, and clearly meant. */
  return n_longer == 1 && len >= 2 ? longer : stem;
}
