/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/spill.h"

#include <string.h>

static void
test_pages_come_back (void)
{
  g_autoptr (TtSpill) spill = tt_spill_new (4 * TT_SPILL_PAGE);
  g_autoptr (GError) error = NULL;
  const guint n_pages = 100;

  for (guint page = 0; page < n_pages; page++)
    memset (tt_spill_page (spill, page, TRUE), (int) page + 1, TT_SPILL_PAGE);
  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < n_pages; i++)
      {
        guint page = (i * 37) % n_pages;
        const guint8 *bytes = tt_spill_page (spill, page, FALSE);
        g_assert_cmpuint (bytes[0], ==, page + 1);
        g_assert_cmpuint (bytes[TT_SPILL_PAGE - 1], ==, page + 1);
      }
  g_assert_true (tt_spill_check (spill, &error));
  g_assert_no_error (error);
}

static void
test_new_pages_are_zero (void)
{
  g_autoptr (TtSpill) spill = tt_spill_new (0);
  guint8 bytes[16] = { 1 }, zero[16] = { 0 };

  tt_spill_read (spill, 12345678, bytes, sizeof bytes);
  g_assert_cmpmem (bytes, sizeof bytes, zero, sizeof zero);
}

/* Random writes across page borders, against a plain array. */
static void
test_equals_plain_memory (void)
{
  const gsize size = 40 * TT_SPILL_PAGE;
  g_autofree guint8 *plain = g_malloc0 (size);
  g_autofree guint8 *back = g_malloc (size);
  g_autoptr (TtSpill) spill = tt_spill_new (5 * TT_SPILL_PAGE);

  for (guint i = 0; i < 2000; i++)
    {
      gsize len = (gsize) g_test_rand_int_range (1, 3 * (int) TT_SPILL_PAGE);
      gsize at = (gsize) g_test_rand_int_range (0, (int) (size - len));
      guint8 value = (guint8) g_test_rand_int_range (0, 256);
      g_autofree guint8 *bytes = g_malloc (len);

      memset (bytes, value, len);
      memset (plain + at, value, len);
      tt_spill_write (spill, at, bytes, len);
    }
  tt_spill_read (spill, 0, back, size);
  g_assert_cmpmem (plain, size, back, size);
  tt_spill_clear (spill);
  tt_spill_read (spill, 0, back, 8);
  g_assert_cmpuint (back[0], ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/spill/pages-come-back", test_pages_come_back);
  g_test_add_func ("/spill/new-pages-are-zero", test_new_pages_are_zero);
  g_test_add_func ("/spill/equals-plain-memory", test_equals_plain_memory);
  return g_test_run ();
}
