/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "src/base/array-sort.h"
#include "src/base/sorter.h"

#include "tests/require.h"

#define LARGEST 96
#define SAME_VALUE G_GUINT64_CONSTANT (0x5a96c3f0a5693c0f)

typedef struct
{
  guint64 high, low;
  guint64 sequence;
} Expected;

/* Whether sorters have a thread. */
static gboolean is_ahead;

/* Whether records are packed on disk: without the zeros at their ends, each behind its length. */
static gboolean is_packed;
static gsize packed_size; /* of a record in memory */

static guint8 *
pack (const void *records, gsize n, guint8 *to)
{
  for (gsize i = 0; i < n; i++)
    {
      const guint8 *record = (const guint8 *) records + i * packed_size;
      gsize len = packed_size;

      while (len > 0 && record[len - 1] == 0)
        len--;
      *to++ = (guint8) len;
      memcpy (to, record, len);
      to += len;
    }
  return to;
}

static void
unpack (const guint8 *from, gsize n, void *records)
{
  for (gsize i = 0; i < n; i++)
    {
      guint8 *record = (guint8 *) records + i * packed_size;
      gsize len = *from++;

      memset (record, 0, packed_size);
      memcpy (record, from, len);
      from += len;
    }
}

static TtSorter *
new_sorter (gsize record_size, gsize memory_bytes)
{
  static const TtSortPacking packing = { .most_bytes = 1 + LARGEST, .pack = pack, .unpack = unpack };
  TtSorter *sorter = tt_sorter_new (record_size, memory_bytes);

  packed_size = record_size;
  if (is_packed)
    tt_sorter_pack (sorter, &packing);

  if (is_ahead)
    tt_sorter_sort_ahead (sorter);
  return sorter;
}

static int
compare_expected (const void *a, const void *b)
{
  const Expected *x = a, *y = b;

  if (x->high != y->high)
    return x->high < y->high ? -1 : 1;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

static guint64
random_word (guint n_bits)
{
  guint64 word = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();

  return n_bits == 0 ? 0 : word >> (64 - n_bits);
}

/* Every word of the payload is told by the record's number, so a wrong byte shows. */
static guint64
payload_word (guint64 sequence, gsize word)
{
  return sequence * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + word;
}

/* Bits in which all keys are the same. */
typedef struct
{
  guint64 high, low;
} Same;

static void
check_sort_same (gsize record_size,
                 gsize memory_bytes,
                 guint n,
                 guint high_bits,
                 guint low_bits,
                 guint shift,
                 Same same)
{
  g_autoptr (TtSorter) sorter = new_sorter (record_size, memory_bytes);
  g_autofree Expected *expected = g_new (Expected, n + 1);
  g_autoptr (GError) error = NULL;
  gsize words = record_size / 8;
  guint n_wrong = 0;

  for (guint i = 0; i < n; i++)
    {
      guint64 *record = tt_sorter_add (sorter);

      expected[i] = (Expected){ (random_word (high_bits) << shift & ~same.high) | (same.high & SAME_VALUE),
                                (random_word (low_bits) << shift & ~same.low) | (same.low & SAME_VALUE), i };
      record[0] = expected[i].high;
      record[1] = expected[i].low;
      for (gsize word = 2; word < words; word++)
        record[word] = payload_word (i, word);
    }
  qsort (expected, n, sizeof *expected, compare_expected);

  g_assert_cmpuint (tt_sorter_count (sorter), ==, n);
  g_assert_true (tt_sorter_finish (sorter, &error));
  require_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      const guint64 *record = tt_sorter_next (sorter, &error);

      if (record == NULL)
        {
          g_test_fail_printf ("only %u of %u records", i, n);
          return;
        }
      n_wrong += record[0] != expected[i].high || record[1] != expected[i].low;
      for (gsize word = 2; word < words; word++)
        n_wrong += record[word] != payload_word (expected[i].sequence, word);
    }
  g_assert_cmpuint (n_wrong, ==, 0);
  g_assert_null (tt_sorter_next (sorter, &error));
  g_assert_no_error (error);
}

static void
check_sort (gsize record_size, gsize memory_bytes, guint n, guint high_bits, guint low_bits, guint shift)
{
  check_sort_same (record_size, memory_bytes, n, high_bits, low_bits, shift, (Same){ 0, 0 });
}

/* Keys of which every eighth bit or fewer differ, in one place or many: those of one word, and of more. */
static void
test_same_bits (void)
{
  static const Same same[] = {
    { 0, G_MAXUINT64 },
    { G_MAXUINT64, 0xffffffff00000000 },
    { 0xfffffffffffffff0, 0xfffe0000ffffffc0 },
    { 0xfefefefefefefefe, 0xfefefefefefefefe },
    { 0x0fffffffffffffff, 0xffffffff0000ffff },
    { 0x7fffffffffffffff, 0xfffffffffffffffe },
    { 0xff00ff00ff00ff00, 0xff00ff00ff00ff00 },
    { 0xf0f0f0f0f0f0f0f0, 0xffffffffffffffff },
    { 0xffffffff00000000, 0xffffffff00000000 },
    { 0xffffffff00000000, 0xfffffffe00000000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    {
      check_sort_same (16, 8 << 20, 20000, 64, 64, 0, same[i]);
      check_sort_same (16, 8 << 20, 2048, 64, 64, 0, same[i]);
      check_sort_same (16, 150000, 20000, 64, 64, 0, same[i]);
    }
  for (guint i = 0; i < 40; i++)
    check_sort_same (16, 8 << 20, 3000, 64, 64, 0,
                     (Same){ random_word (64) | random_word (64), random_word (64) | random_word (64) });
}

static const gsize record_sizes[] = { 16, 24, 32, 40, LARGEST };

static void
test_memory (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (record_sizes); i++)
    {
      check_sort (record_sizes[i], 1 << 20, 0, 64, 64, 0);
      check_sort (record_sizes[i], 1 << 20, 1, 64, 64, 0);
      check_sort (record_sizes[i], 1 << 20, 2, 64, 64, 0);
      check_sort (record_sizes[i], 8 << 20, 20000, 64, 64, 0);
      check_sort (record_sizes[i], 8 << 20, 20000, 10, 30, 3);
      check_sort (record_sizes[i], 8 << 20, 20000, 0, 64, 0);
      check_sort (record_sizes[i], 8 << 20, 20000, 64, 0, 0);
      check_sort (record_sizes[i], 8 << 20, 20000, 2, 1, 40);
      check_sort (record_sizes[i], 8 << 20, 20000, 0, 0, 0);
    }
}

static void
test_runs (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (record_sizes); i++)
    {
      check_sort (record_sizes[i], 100000, 20000, 64, 64, 0);
      check_sort (record_sizes[i], 100000, 20000, 3, 2, 7);
    }
}

static void
test_hundreds_of_runs (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (record_sizes); i++)
    {
      check_sort (record_sizes[i], 0, 40000, 64, 64, 0);
      check_sort (record_sizes[i], 4096, 40000, 1, 3, 0);
      check_sort (record_sizes[i], 4096, 8 * 64 * 9, 8, 0, 0);
    }
}

static void
test_random (void)
{
  for (int i = 0; i < 60; i++)
    {
      gsize record_size = 8 * (gsize) g_test_rand_int_range (2, LARGEST / 8 + 1);
      gsize memory = (gsize) 1 << g_test_rand_int_range (8, 22);
      guint n = (guint) g_test_rand_int_range (0, 1 << g_test_rand_int_range (1, 16));

      check_sort (record_size, memory, n, (guint) g_test_rand_int_range (0, 65), (guint) g_test_rand_int_range (0, 65),
                  (guint) g_test_rand_int_range (0, 20));
    }
}

/* -- places ------------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 place, high, low;
} Begun;

/* How records with places come. */
typedef struct
{
  guint most_open; /* begun and not added yet */
  guint step;      /* the key of one is that of the one before and less than this */
  guint back;      /* one in so many begins anew from key 0; 0: none does */
  guint noise;     /* in the key */
  guint aside;     /* one in so many has no place; 0: each has one */
  guint lost;      /* one in so many is never added; 0: each is */
  guint jump;      /* one in so many leaves out a thousand places; 0: none does */
} Places;

static gboolean
happens (guint one_in)
{
  return one_in > 0 && g_test_rand_int_range (0, (gint32) one_in) == 0;
}

/* The first that begun mostly lasts to the end, as main() does; then, mostly, the last one is the next to end. */
static Begun
take_begun (GArray *open)
{
  guint i = open->len - 1;

  if (happens (4))
    i = (guint) g_test_rand_int_range (open->len > 1, (gint32) open->len);
  Begun begun = g_array_index (open, Begun, i);
  g_array_remove_index (open, i);
  return begun;
}

static void
add_begun (TtSorter *sorter, const Begun *begun, gboolean is_aside, Expected *expected, guint64 n)
{
  guint64 *record = is_aside ? NULL : tt_sorter_add_at (sorter, begun->place);
  gboolean is_placed = record != NULL;

  if (!is_placed)
    record = tt_sorter_add (sorter);

  *expected = (Expected){ begun->high, begun->low, is_placed ? begun->place : (G_GUINT64_CONSTANT (1) << 63) + n };
  record[0] = expected->high;
  record[1] = expected->low;
  record[2] = expected->sequence;
}

/* Adds up to @n records in some order; returns how many there are. */
static guint
add_with_places (TtSorter *sorter, guint n, const Places *places, Expected *expected)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Begun));
  guint64 place = random_word (40), high = 0;
  guint n_added = 0;

  for (guint n_begun = 0; n_begun < n || open->len > 0;)
    {
      gboolean begins = n_begun < n && (open->len == 0 || (open->len < places->most_open && happens (2)));
      if (begins)
        {
          high = happens (places->back) ? 0 : high + (guint64) g_test_rand_int_range (0, (gint32) places->step);
          Begun begun = { place, high + random_word (places->noise), random_word (2) };
          g_array_append_val (open, begun);
          place += happens (places->jump) ? 1000 : 1;
          n_begun++;
          continue;
        }
      Begun begun = take_begun (open);
      if (happens (places->lost))
        continue;
      add_begun (sorter, &begun, happens (places->aside), &expected[n_added], n_added);
      n_added++;
    }
  return n_added;
}

#define MAX_TAKEN 700

/* Reads @n records, one by one or some at once. How many are not as expected. */
static guint
count_wrong (TtSorter *sorter, guint n, const Expected *expected)
{
  static guint64 records[MAX_TAKEN][4];
  guint n_wrong = 0;

  for (guint i = 0; i < n;)
    {
      const guint wanted = happens (2) ? 1 : (guint) g_test_rand_int_range (1, MAX_TAKEN + 1);
      const guint64 *record = wanted == 1 ? tt_sorter_next (sorter, NULL) : NULL;
      const gsize n_taken = record != NULL ? 1 : tt_sorter_take (sorter, records, wanted, NULL);

      if (n_taken != MIN (wanted, n - i))
        {
          g_test_fail_printf ("only %" G_GSIZE_FORMAT " records after %u of %u", n_taken, i, n);
          return n;
        }
      if (record != NULL)
        memcpy (records[0], record, sizeof records[0]);
      for (gsize k = 0; k < n_taken; k++, i++)
        n_wrong += records[k][0] != expected[i].high || records[k][1] != expected[i].low ||
                   records[k][2] != expected[i].sequence;
    }
  return n_wrong;
}

static void
check_places (gsize memory_bytes, guint n, const Places *places)
{
  g_autoptr (TtSorter) sorter = new_sorter (32, memory_bytes);
  g_autofree Expected *expected = g_new (Expected, n + 1);
  g_autoptr (GError) error = NULL;
  guint n_added = add_with_places (sorter, n, places, expected);

  qsort (expected, n_added, sizeof *expected, compare_expected);
  g_assert_cmpuint (tt_sorter_count (sorter), ==, n_added);
  g_assert_true (tt_sorter_finish (sorter, &error));
  require_no_error (error);
  g_assert_cmpuint (count_wrong (sorter, n_added, expected), ==, 0);
  g_assert_null (tt_sorter_next (sorter, &error));
  g_assert_no_error (error);
}

static void
test_places (void)
{
  static const Places cases[] = {
    { .most_open = 8, .step = 5 },
    { .most_open = 8, .step = 1 },
    { .most_open = 8, .step = 2, .aside = 7 },
    { .most_open = 3000, .step = 3, .lost = 10 },
    { .most_open = 20, .step = 3, .back = 4000, .aside = 1000 },
    { .most_open = 20, .step = 3, .noise = 6, .lost = 5 },
    { .most_open = 20, .step = 3, .noise = 30, .jump = 50 },
    { .most_open = 100000, .step = 3, .jump = 500, .aside = 3 },
    { .most_open = 5, .step = 3, .aside = 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      check_places (0, 3000, &cases[i]);
      check_places (60000, 20000, &cases[i]);
      check_places (1 << 20, 20000, &cases[i]);
      check_places (8 << 20, 20000, &cases[i]);
      check_places (8 << 20, 1, &cases[i]);
    }
}

static void
test_random_places (void)
{
  for (int i = 0; i < 60; i++)
    {
      const Places places = {
        .most_open = 1u << g_test_rand_int_range (0, 14),
        .step = 1u << g_test_rand_int_range (0, 6),
        .back = happens (2) ? 1u << g_test_rand_int_range (4, 14) : 0,
        .noise = happens (2) ? (guint) g_test_rand_int_range (0, 40) : 0,
        .aside = happens (2) ? 1u << g_test_rand_int_range (0, 10) : 0,
        .lost = happens (2) ? 1u << g_test_rand_int_range (0, 10) : 0,
        .jump = happens (2) ? 1u << g_test_rand_int_range (0, 10) : 0,
      };

      check_places ((gsize) 1 << g_test_rand_int_range (8, 22),
                    (guint) g_test_rand_int_range (0, 1 << g_test_rand_int_range (1, 16)), &places);
    }
}

/* All bits set must not be taken for the end of a run. */
static void
test_greatest_key (void)
{
  g_autoptr (TtSorter) sorter = new_sorter (24, 0);
  g_autoptr (GError) error = NULL;
  guint n = 5000, n_wrong = 0;

  for (guint i = 0; i < n; i++)
    memcpy (tt_sorter_add (sorter), (guint64[]){ G_MAXUINT64, G_MAXUINT64, i }, 24);
  g_assert_true (tt_sorter_finish (sorter, &error));
  for (guint i = 0; i < n; i++)
    {
      const guint64 *record = tt_sorter_next (sorter, &error);
      n_wrong += record == NULL || record[2] != i;
    }
  g_assert_cmpuint (n_wrong, ==, 0);
  g_assert_null (tt_sorter_next (sorter, &error));
}

static void
test_signed_keys (void)
{
  static const gint64 values[] = { G_MININT64, -2, -1, 0, 1, 2, G_MAXINT64 };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_assert_cmpint (tt_sort_value (tt_sort_key (values[i])), ==, values[i]);
      if (i > 0)
        g_assert_cmpuint (tt_sort_key (values[i - 1]), <, tt_sort_key (values[i]));
    }
}

/* A limit on file size stands for a full disk. */
static void
test_full_disk (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (TtSorter) sorter = new_sorter (16, 0);
      g_autoptr (GError) error = NULL;
      struct rlimit limit = { 4096, 4096 };

      signal (SIGXFSZ, SIG_IGN);
      setrlimit (RLIMIT_FSIZE, &limit);
      for (guint i = 0; i < 1000; i++)
        memset (tt_sorter_add (sorter), 0, 16);
      g_assert_false (tt_sorter_finish (sorter, &error));
      g_printerr ("%s\n", error == NULL ? "" : error->message);
      g_clear_error (&error);
      g_assert_null (tt_sorter_next (sorter, &error));
      g_assert_nonnull (error);
      return;
    }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*cannot write a temporary file*TMPDIR*");
}

static void
test_full_disk_of_places (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (TtSorter) sorter = new_sorter (32, 0);
      g_autoptr (GError) error = NULL;
      struct rlimit limit = { 4096, 4096 };

      signal (SIGXFSZ, SIG_IGN);
      setrlimit (RLIMIT_FSIZE, &limit);
      for (guint i = 0; i < 1000; i++)
        memset (tt_sorter_add_at (sorter, i), 0, 32);
      g_assert_false (tt_sorter_finish (sorter, &error));
      g_printerr ("%s\n", error == NULL ? "" : error->message);
      g_clear_error (&error);
      g_assert_null (tt_sorter_next (sorter, &error));
      g_assert_nonnull (error);
      return;
    }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*cannot write a temporary file*TMPDIR*");
}

static void
bench (void)
{
  static const struct
  {
    gsize size, memory;
    guint high_bits, low_bits;
  } cases[] = {
    { 16, (gsize) 512 << 20, 0, 64 }, { 16, (gsize) 64 << 20, 0, 64 },  { 16, (gsize) 64 << 20, 10, 30 },
    { 32, (gsize) 1 << 30, 10, 30 },  { 32, (gsize) 64 << 20, 10, 30 }, { 32, (gsize) 16 << 20, 10, 30 },
  };
  const guint n = 10000000;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TtSorter) sorter = new_sorter (cases[i].size, cases[i].memory);
      guint64 state = 1, sum = 0;
      const guint64 *record;

      g_test_timer_start ();
      for (guint j = 0; j < n; j++)
        {
          guint64 *words = tt_sorter_add (sorter);

          state ^= state << 13;
          state ^= state >> 7;
          state ^= state << 17;
          words[0] = cases[i].high_bits == 0 ? 0 : state >> (64 - cases[i].high_bits);
          words[1] = cases[i].low_bits == 64 ? state : state & (((guint64) 1 << cases[i].low_bits) - 1);
        }
      double added = g_test_timer_elapsed ();
      tt_sorter_finish (sorter, NULL);
      double finished = g_test_timer_elapsed ();
      while ((record = tt_sorter_next (sorter, NULL)) != NULL)
        sum += record[1];
      g_test_message ("%zu bytes, %zu MiB: add %.1f, finish %.1f, next %.1f ns a record (%" G_GUINT64_FORMAT ")",
                      cases[i].size, cases[i].memory >> 20, added * 1e9 / n, (finished - added) * 1e9 / n,
                      (g_test_timer_elapsed () - finished) * 1e9 / n, sum);
    }
}

static TtArrayKey
key_of_expected (gconstpointer element)
{
  const Expected *expected = element;

  return (TtArrayKey){ expected->high, expected->low };
}

/* Many have one key: they keep their order, or get that of @compare. */
static void
check_array (guint n, guint bits, gboolean is_shuffled)
{
  g_autoptr (GArray) array = g_array_new (FALSE, FALSE, sizeof (Expected));

  for (guint i = 0; i < n; i++)
    {
      const Expected element = { random_word (bits), random_word (bits), is_shuffled ? random_word (20) : i };
      g_array_append_val (array, element);
    }
  g_autoptr (GArray) wanted = g_array_copy (array), given = g_array_copy (array);
  qsort (wanted->data, n, sizeof (Expected), compare_expected);
  tt_array_sort_by_key (array, key_of_expected, is_shuffled ? compare_expected : NULL);
  g_assert_cmpmem (array->data, n * sizeof (Expected), wanted->data, n * sizeof (Expected));
  g_autofree guint32 *order = tt_order_by_key (given->data, n, sizeof (Expected), key_of_expected);
  for (guint i = 0; i < n && !is_shuffled; i++)
    g_assert_cmpmem (given->data + order[i] * sizeof (Expected), sizeof (Expected),
                     wanted->data + i * sizeof (Expected), sizeof (Expected));
  /* What is in order stays so. */
  tt_array_sort_by_key (array, key_of_expected, is_shuffled ? compare_expected : NULL);
  g_assert_cmpmem (array->data, n * sizeof (Expected), wanted->data, n * sizeof (Expected));
}

static void
test_arrays (void)
{
  for (guint bits = 0; bits <= 64; bits += 4)
    for (guint n = 1; n <= 3000; n = n * 5 + 1)
      {
        check_array (n, bits, FALSE);
        check_array (n, bits, TRUE);
      }
  /* More than are sorted at once. */
  for (guint bits = 4; bits <= 64; bits += 12)
    check_array (150000, bits, TRUE);
  /* So many that they are parted first, or all of one key. */
  for (guint bits = 0; bits <= 64; bits += 8)
    check_array (250000, bits, TRUE);
}

static void
with_thread (gconstpointer test)
{
  void (*function) (void) = *(void (*const *) (void)) test;

  is_ahead = TRUE;
  function ();
  is_ahead = FALSE;
}

static void
when_packed (gconstpointer test)
{
  void (*function) (void) = *(void (*const *) (void)) test;

  is_packed = TRUE;
  function ();
  is_packed = FALSE;
}

/* Those that were written before the first with a place lie in blocks for all of the memory. */
static void
test_late_places (void)
{
  enum
  {
    N_EACH = 3000
  };
  g_autoptr (TtSorter) sorter = new_sorter (32, 65536);
  g_autoptr (GError) error = NULL;
  guint n_wrong = 0;

  for (guint64 i = 0; i < 2 * N_EACH; i++)
    {
      guint64 *record = i < N_EACH ? tt_sorter_add (sorter) : tt_sorter_add_at (sorter, i - N_EACH);
      memset (record, 0, 32);
      record[0] = i < N_EACH ? 2 * i + 1 : 2 * (i - N_EACH);
    }
  tt_sorter_finish (sorter, &error);
  g_assert_no_error (error);
  for (guint64 i = 0; i < 2 * N_EACH; i++)
    {
      const guint64 *record = tt_sorter_next (sorter, &error);
      n_wrong += record == NULL || record[0] != i;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (n_wrong, ==, 0);
}

int
main (int argc, char **argv)
{
  static void (*const merges) (void) = test_runs, (*const levels) (void) = test_hundreds_of_runs,
                              (*const random) (void) = test_random, (*const full) (void) = test_full_disk,
                              (*const memory) (void) = test_memory, (*const places) (void) = test_random_places,
                              (*const late) (void) = test_late_places;

  g_setenv ("TRACETOOL_READERS", "1", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/sorter/sorts-in-memory", test_memory);
  g_test_add_func ("/sorter/keys-with-equal-bits", test_same_bits);
  g_test_add_func ("/sorter/merges-runs", test_runs);
  g_test_add_func ("/sorter/merges-hundreds-of-runs-in-levels", test_hundreds_of_runs);
  g_test_add_func ("/sorter/agrees-with-qsort-on-random-input", test_random);
  g_test_add_func ("/sorter/puts-records-at-their-places", test_places);
  g_test_add_func ("/sorter/agrees-with-qsort-on-random-places", test_random_places);
  g_test_add_data_func ("/sorter/thread/agrees-with-qsort-on-random-places", &places, with_thread);
  g_test_add_func ("/sorter/takes-places-late", test_late_places);
  g_test_add_func ("/sorter/tells-of-a-full-disk-of-places", test_full_disk_of_places);
  g_test_add_func ("/sorter/keeps-the-greatest-key", test_greatest_key);
  g_test_add_func ("/sorter/keeps-order-of-signed-keys", test_signed_keys);
  g_test_add_func ("/sorter/tells-of-a-full-disk", test_full_disk);
  g_test_add_data_func ("/sorter/packed/merges-hundreds-of-runs-in-levels", &levels, when_packed);
  g_test_add_data_func ("/sorter/packed/agrees-with-qsort-on-random-input", &random, when_packed);
  g_test_add_data_func ("/sorter/packed/agrees-with-qsort-on-random-places", &places, when_packed);
  g_test_add_data_func ("/sorter/packed/takes-places-late", &late, when_packed);
  g_test_add_data_func ("/sorter/thread/sorts-in-memory", &memory, with_thread);
  g_test_add_data_func ("/sorter/thread/merges-runs", &merges, with_thread);
  g_test_add_data_func ("/sorter/thread/merges-hundreds-of-runs-in-levels", &levels, with_thread);
  g_test_add_data_func ("/sorter/thread/agrees-with-qsort-on-random-input", &random, with_thread);
  g_test_add_data_func ("/sorter/thread/tells-of-a-full-disk", &full, with_thread);
  g_test_add_func ("/array-sort/agrees-with-qsort", test_arrays);
  if (g_test_perf ())
    g_test_add_func ("/sorter/speed", bench);
  return g_test_run ();
}
