/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/heap.h"
#include "src/base/json-writer.h"
#include "src/base/map64.h"
#include "src/base/row-index.h"
#include "src/trace/span.h"

typedef struct
{
  gint64 key;
  guint32 order;
} Item;

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const Item *x = a, *y = b;
  int order = TT_COMPARE (x->key, y->key);

  return order != 0 ? order : TT_COMPARE (x->order, y->order);
}

static gboolean
comes_before (gconstpointer a, gconstpointer b, gconstpointer data)
{
  return compare_items (a, b) < 0;
}

static void
test_compare (void)
{
  g_assert_cmpint (TT_COMPARE (G_MININT64, G_MAXINT64), <, 0);
  g_assert_cmpint (TT_COMPARE (G_MAXINT64, G_MININT64), >, 0);
  g_assert_cmpint (TT_COMPARE (1u, G_MAXUINT), <, 0);
  g_assert_cmpint (TT_COMPARE (7, 7), ==, 0);
}

/* Pushes and pops at random; what comes out is what a sorted list of those inside has first. */
static void
test_heap_order (void)
{
  g_autoptr (GArray) heap = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autoptr (GArray) model = g_array_new (FALSE, FALSE, sizeof (Item));

  for (guint32 i = 0; i < 5000; i++)
    if (heap->len == 0 || g_test_rand_int_range (0, 5) < 3)
      {
        Item item = { g_test_rand_int_range (-20, 20), i };
        tt_heap_push (heap, &item, sizeof item, comes_before, NULL);
        g_array_append_val (model, item);
      }
    else
      {
        Item item;
        g_array_sort (model, compare_items);
        tt_heap_pop (heap, &item, sizeof item, comes_before, NULL);
        g_assert_cmpmem (&item.key, sizeof item.key, &TT_ARRAY (model, Item)[0].key, sizeof item.key);
        g_assert_cmpuint (item.order, ==, TT_ARRAY (model, Item)[0].order);
        g_array_remove_index (model, 0);
        g_assert_cmpuint (heap->len, ==, model->len);
      }
}

static void
test_heap_make (void)
{
  Item items[500], sorted[500];

  for (guint32 i = 0; i < G_N_ELEMENTS (items); i++)
    items[i] = (Item){ g_test_rand_int_range (0, 100), i };
  memcpy (sorted, items, sizeof items);
  qsort (sorted, G_N_ELEMENTS (sorted), sizeof *sorted, compare_items);
  tt_heap_make (items, sizeof *items, G_N_ELEMENTS (items), comes_before, NULL);
  for (gsize n = G_N_ELEMENTS (items), i = 0; n > 0; i++)
    {
      g_assert_cmpint (compare_items (&items[0], &sorted[i]), ==, 0);
      items[0] = items[--n];
      tt_heap_lower (items, sizeof *items, n, 0, comes_before, NULL);
    }
}

static void
test_map64 (void)
{
  g_autoptr (GHashTable) model = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  TtMap64 map = { 0 };

  g_assert_cmpuint (tt_map64_get (&map, 0), ==, TT_MAP64_NONE);
  for (guint32 i = 0; i < 20000; i++)
    {
      gint64 key = (gint64) ((guint64) g_test_rand_int_range (0, 3000) << (i % 3 * 21));
      guint32 value = (guint32) g_test_rand_int_range (0, G_MAXINT32);
      tt_map64_set (&map, (guint64) key, value);
      g_hash_table_replace (model, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (value));
      gint64 asked = g_test_rand_int_range (0, 3000);
      gpointer wanted;
      gboolean is_there = g_hash_table_lookup_extended (model, &asked, NULL, &wanted);
      g_assert_cmpuint (tt_map64_get (&map, (guint64) asked), ==, is_there ? GPOINTER_TO_UINT (wanted) : TT_MAP64_NONE);
    }
  g_assert_cmpuint (map.n, ==, g_hash_table_size (model));
  tt_map64_set (&map, G_MAXUINT64, 0);
  g_assert_cmpuint (tt_map64_get (&map, G_MAXUINT64), ==, 0);
  tt_map64_clear (&map);
  g_assert_cmpuint (tt_map64_get (&map, G_MAXUINT64), ==, TT_MAP64_NONE);
}

/* Every key has the same hash in its low bits, the worst there is. */
static guint64
hash_row (gconstpointer rows, guint32 row)
{
  return (guint64) ((const gint64 *) rows)[row] << 40;
}

static void
test_row_index (void)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (gint64));
  TtRowIndex index = { 0 };

  for (guint round = 0; round < 4000; round++)
    {
      gint64 key = g_test_rand_int_range (0, 1500);
      guint32 found = G_MAXUINT32;
      guint64 slot = tt_row_index_first (&index, (guint64) key << 40);

      for (; index.slots[slot] != 0 && found == G_MAXUINT32; slot = tt_row_index_next (&index, slot))
        if (TT_ARRAY (rows, gint64)[index.slots[slot] - 1] == key)
          found = index.slots[slot] - 1;
      gboolean is_there = FALSE;
      for (guint i = 0; i < rows->len; i++)
        is_there |= TT_ARRAY (rows, gint64)[i] == key;
      g_assert_cmpint (is_there, ==, found != G_MAXUINT32);
      if (is_there)
        continue;
      g_array_append_val (rows, key);
      tt_row_index_add (&index, slot, rows->len - 1, hash_row, rows->data);
    }
  g_assert_cmpuint (index.n_rows, ==, rows->len);
  g_assert_cmpuint (index.n_rows, >, TT_ROW_INDEX_FIRST_SLOTS);
  tt_row_index_clear (&index);
}

static void
test_json_writer (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  TtJsonWriter writer;

  tt_json_writer_init (&writer, text);
  tt_json_writer_open_object (&writer, NULL);
  tt_json_writer_string (&writer, "a \"b\"", "c\n\xff");
  tt_json_writer_open_object_line (&writer, "line");
  tt_json_writer_int (&writer, "least", G_MININT64);
  tt_json_writer_uint (&writer, "most", G_MAXUINT64);
  tt_json_writer_close (&writer);
  tt_json_writer_open_array (&writer, "list");
  tt_json_writer_double (&writer, NULL, 2.0 / 3, 3);
  tt_json_writer_double (&writer, NULL, HUGE_VAL, 3);
  tt_json_writer_close (&writer);
  tt_json_writer_open_array (&writer, "empty");
  tt_json_writer_close (&writer);
  tt_json_writer_open_array_line (&writer, "none");
  tt_json_writer_close (&writer);
  tt_json_writer_bool (&writer, "yes", TRUE);
  tt_json_writer_string (&writer, "null", NULL);
  tt_json_writer_raw (&writer, "raw", "[1,2]");
  tt_json_writer_close (&writer);
  g_assert_cmpstr (text->str, ==,
                   "{\n\"a \\\"b\\\"\": \"c\\n\xef\xbf\xbd\",\n"
                   "\"line\": {\"least\": -9223372036854775808, \"most\": 18446744073709551615},\n"
                   "\"list\": [\n0.667,\nnull\n],\n\"empty\": [],\n\"none\": [],\n\"yes\": true,\n\"null\": null,\n"
                   "\"raw\": [1,2]\n}");
}

static void
test_span (void)
{
  g_assert_cmpint (tt_span_end (-5, 7), ==, 2);
  g_assert_cmpint (tt_span_end (G_MAXINT64 - 1, 1), ==, G_MAXINT64);
  g_assert_cmpint (tt_span_end (G_MAXINT64 - 1, 2), ==, G_MAXINT64);
  g_assert_true (tt_time_is_epoch (G_GINT64_CONSTANT (1700000000000000000)));
  g_assert_false (tt_time_is_epoch (G_GINT64_CONSTANT (1700000000000000)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/compare/never-overflows", test_compare);
  g_test_add_func ("/heap/pops-in-order", test_heap_order);
  g_test_add_func ("/heap/makes-a-heap-of-any-order", test_heap_make);
  g_test_add_func ("/map64/agrees-with-a-hash-table", test_map64);
  g_test_add_func ("/row-index/finds-rows-with-colliding-hashes", test_row_index);
  g_test_add_func ("/json-writer/commas-quotes-and-lines", test_json_writer);
  g_test_add_func ("/span/ends-and-dates", test_span);
  return g_test_run ();
}
