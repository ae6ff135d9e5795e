/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/repairs.h"

static void
assert_described (const TtRepairs *self, TtRepairKind kind, const char *expected)
{
  g_autofree char *text = tt_repair_describe (self, kind, NULL);

  g_assert_cmpstr (text, ==, expected);
}

/* Of two parts of one source: the counts add up, the place is that of the first part that has one. */
static void
test_merge (void)
{
  TtRepairs first = { 0 }, second = { 0 };

  tt_repairs_add (&first, TT_REPAIR_UNCLOSED, 480);
  tt_repairs_add_many (&second, TT_REPAIR_UNCLOSED, 24, 2);
  tt_repairs_add (&second, TT_REPAIR_NO_NAME, 48);
  tt_repairs_merge (&first, &second);
  g_assert_cmpuint (first.count[TT_REPAIR_UNCLOSED], ==, 3);
  g_assert_cmpuint (first.first_offset[TT_REPAIR_UNCLOSED], ==, 480);
  g_assert_cmpuint (first.count[TT_REPAIR_NO_NAME], ==, 1);
  g_assert_cmpuint (first.first_offset[TT_REPAIR_NO_NAME], ==, 48);
  g_assert_cmpuint (tt_repairs_total (&first), ==, 4);
  assert_described (&first, TT_REPAIR_NO_NAME, "1 event without a name that is text (first at byte 48)");
}

/* Events are numbered where a library reads the bytes. Two sources keep their places, each of its own sort. */
static void
test_places (void)
{
  TtRepairs bytes = { 0 }, events = { .counts_events = TRUE };

  tt_repairs_add (&bytes, TT_REPAIR_NO_NAME, 48);
  tt_repairs_add (&bytes, TT_REPAIR_BAD_ROW, 7);
  tt_repairs_add (&events, TT_REPAIR_NO_NAME, 5);
  tt_repairs_add (&events, TT_REPAIR_BROKEN_STREAM, 3);
  tt_repairs_merge (&bytes, &events);
  assert_described (&bytes, TT_REPAIR_NO_NAME, "2 events without a name that is text (first at byte 48)");
  assert_described (&bytes, TT_REPAIR_BAD_ROW,
                    "1 definition row that cannot be read, skipped (first at line 7 of the definitions)");
  assert_described (&bytes, TT_REPAIR_BROKEN_STREAM, "1 damaged stream, not read to its end (first at event 3)");
}

/* What is written into a database comes back. */
static void
test_json (void)
{
  TtRepairs repairs = { 0 }, events = { .counts_events = TRUE }, back = { 0 };

  g_assert_null (tt_repairs_to_json (&repairs));
  tt_repairs_add_many (&repairs, TT_REPAIR_LEAVE_WITHOUT_ENTER, 480, 2);
  tt_repairs_add (&repairs, TT_REPAIR_BAD_ROW, 7);
  g_autofree char *json = tt_repairs_to_json (&repairs);
  g_assert_cmpstr (json, ==,
                   "{\"leave_without_enter\":{\"count\":2,\"first_offset\":480},"
                   "\"bad_row\":{\"count\":1,\"first_line\":7}}");
  tt_repairs_from_json (&back, json);
  g_assert_cmpmem (&back, sizeof back, &repairs, sizeof repairs);

  tt_repairs_add (&events, TT_REPAIR_NO_NAME, 3);
  g_autofree char *numbered = tt_repairs_to_json (&events);
  g_assert_cmpstr (numbered, ==, "{\"no_name\":{\"count\":1,\"first_event\":3}}");
  back = (TtRepairs){ 0 };
  tt_repairs_from_json (&back, numbered);
  g_assert_cmpstr (tt_repair_place (&back, TT_REPAIR_NO_NAME), ==, "event");
  g_assert_cmpuint (back.first_offset[TT_REPAIR_NO_NAME], ==, 3);
}

/* --strict: what the rules of a format leave out is no fault of the trace. */
static void
test_strict (void)
{
  TtRepairs repairs = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (tt_repairs_check_none (&repairs, "run.trc", &error));
  tt_repairs_add (&repairs, TT_REPAIR_OTHER_DEVICE, 12);
  g_assert_true (tt_repairs_check_none (&repairs, "run.trc", &error));
  g_assert_no_error (error);
  tt_repairs_add (&repairs, TT_REPAIR_NO_NAME, 48);
  g_assert_false (tt_repairs_check_none (&repairs, "run.trc", &error));
  g_assert_nonnull (error);
  g_assert_true (g_str_has_prefix (error->message, "run.trc: byte 48: event without a name"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/repairs/merge", test_merge);
  g_test_add_func ("/repairs/places", test_places);
  g_test_add_func ("/repairs/json", test_json);
  g_test_add_func ("/repairs/strict", test_strict);
  return g_test_run ();
}
