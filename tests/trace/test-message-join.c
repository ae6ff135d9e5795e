/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib.h>

#include "src/trace/message-join.h"

#define RANK_A 1
#define RANK_B 2

/* "send 10", "recv 20" of the messages from A to B; "-" where a side has no partner. */
static gboolean
print_pair (gconstpointer send_record, gconstpointer recv_record, gint64 ordinal, gpointer data, GError **error)
{
  const TtMessageHalf *send = send_record, *recv = recv_record;
  g_autofree char *sent = send == NULL ? g_strdup ("-") : g_strdup_printf ("%d", (int) send->ts_ns);
  g_autofree char *received = recv == NULL ? g_strdup ("-") : g_strdup_printf ("%d", (int) recv->ts_ns);

  g_string_append_printf (data, "%d:%s>%s ", (int) ordinal, sent, received);
  return TRUE;
}

static void
add (GArray *halves, gboolean is_send, gint64 ts_ns)
{
  const TtMessageHalf half = { RANK_A, RANK_B, 0, 0, ts_ns, ts_ns, -1, is_send ? 1 : 2, 0, (guint32) is_send, 0 };

  g_array_append_val (halves, half);
}

static void
assert_joined (const gint64 *sends, const gint64 *recvs, TtLostOrder *lost, const char *expected, guint64 n_unsure)
{
  g_autoptr (GArray) halves = g_array_new (FALSE, FALSE, sizeof (TtMessageHalf));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  TtKeyRange ranges[TT_N_HALF_FIELDS];
  TtKeySort *sorts[2];
  guint64 n;

  for (; *sends != 0; sends++)
    add (halves, TRUE, *sends);
  for (; *recvs != 0; recvs++)
    add (halves, FALSE, *recvs);
  tt_message_half_ranges_init (ranges);
  for (guint i = 0; i < halves->len; i++)
    tt_message_half_widen (ranges, &g_array_index (halves, TtMessageHalf, i));
  for (int side = 0; side < 2; side++)
    sorts[side] = tt_key_sort_new (sizeof (TtMessageHalf), TT_N_HALF_FIELDS, ranges, tt_message_half_fields, 1 << 16);
  for (guint i = 0; i < halves->len; i++)
    {
      tt_lost_order_count (lost, &g_array_index (halves, TtMessageHalf, i));
      tt_key_sort_add (sorts[g_array_index (halves, TtMessageHalf, i).is_send],
                       &g_array_index (halves, TtMessageHalf, i));
    }
  gboolean is_joined = tt_message_half_pair (sorts[1], sorts[0], lost, print_pair, text, &n, &error);
  g_assert_no_error (error);
  g_assert_true (is_joined);
  g_assert_cmpstr (text->str, ==, expected);
  g_assert_cmpuint (n, ==, n_unsure);
  tt_key_sort_free (sorts[0]);
  tt_key_sort_free (sorts[1]);
}

static const gint64 three_sends[] = { 10, 20, 30, 0 }, three_recvs[] = { 15, 25, 35, 0 }, two_recvs[] = { 15, 35, 0 };

static void
test_nothing_lost (void)
{
  g_autoptr (TtLostOrder) lost = tt_lost_order_new ();

  assert_joined (three_sends, three_recvs, lost, "0:10>15 1:20>25 2:30>35 ", 0);
}

static void
test_shorter_side (void)
{
  g_autoptr (TtLostOrder) lost = tt_lost_order_new ();

  tt_lost_order_lose (lost, RANK_B, 15);
  assert_joined (three_sends, two_recvs, lost, "0:10>15 1:20>- 1:->35 2:30>- ", 1);
}

static void
test_whole_side_proves (void)
{
  g_autoptr (TtLostOrder) lost = tt_lost_order_new ();

  tt_lost_order_lose (lost, RANK_B, 15);
  assert_joined (three_sends, three_recvs, lost, "0:10>15 1:20>25 2:30>35 ", 0);
}

static void
test_both_lost (void)
{
  g_autoptr (TtLostOrder) lost = tt_lost_order_new ();

  tt_lost_order_lose_text (lost, RANK_B, "25");
  tt_lost_order_lose_text (lost, RANK_B, "29");
  tt_lost_order_lose (lost, RANK_A, 40);
  assert_joined (three_sends, three_recvs, lost, "0:10>15 1:20>25 2:30>- 2:->35 ", 1);
}

static void
test_odd_text (void)
{
  g_autoptr (TtLostOrder) lost = tt_lost_order_new ();

  tt_lost_order_lose_text (lost, RANK_A, "soon");
  assert_joined (three_sends, two_recvs, lost, "0:10>- 0:->15 1:20>- 1:->35 2:30>- ", 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/message-join/nothing-lost-joins-by-order", test_nothing_lost);
  g_test_add_func ("/message-join/order-ends-where-a-side-lost-records", test_shorter_side);
  g_test_add_func ("/message-join/as-many-as-a-whole-side-has-are-joined", test_whole_side_proves);
  g_test_add_func ("/message-join/two-that-lost-prove-nothing", test_both_lost);
  g_test_add_func ("/message-join/a-time-that-is-none-leaves-nothing-sure", test_odd_text);
  return g_test_run ();
}
