/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/tau-test.h"

#include <string.h>
#include <zlib.h>

#define N(array) ((guint) G_N_ELEMENTS (array))
#define INIT(nid, tid, ti) \
  {                        \
    60000, nid, tid, 3, ti \
  }
#define END(nid, tid, ti)     \
  { 60003, nid, tid, 0, ti }, \
  {                           \
    60005, nid, tid, 0, ti    \
  }
#define EPOCH 1700000000000000u

/* Imports @records as run.trc with @edf as run.edf. */
static TauResult *
import_as (const TauFolder *folder,
           TtTauLayout layout,
           const TauRecord *records,
           guint n,
           const char *edf,
           gboolean is_strict)
{
  g_autofree char *trc = tau_write_records (folder, "run.trc", layout, records, n);
  g_autofree char *definitions = tau_write (folder, "run.edf", edf, -1);
  const char *const paths[] = { trc, definitions, NULL };

  return tau_import (paths, is_strict);
}

static TauResult *
import (const TauFolder *folder, const TauRecord *records, guint n)
{
  return import_as (folder, TT_TAU_24LE, records, n, tau_edf, FALSE);
}

static void
assert_repairs (const TauResult *result, const char *repairs)
{
  const char *line = tau_line (result, "source ");

  if (result->error != NULL)
    g_test_fail_printf ("%s", result->error->message);
  else
    g_assert_cmpstr (strstr (line, " repairs=") + 9, ==, repairs);
}

/* -- what a trace means ------------------------------------------------------------------------- */

static const TauRecord plain[] = {
  INIT (0, 0, EPOCH),          { 1, 0, 0, 1, EPOCH + 1 },   { 2, 0, 0, 1, EPOCH + 3 },
  { 2, 0, 0, -1, EPOCH + 10 }, { 1, 0, 0, -1, EPOCH + 12 }, END (0, 0, EPOCH + 13),
};

static void
test_spans (void)
{
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autoptr (TauResult) result = import (&folder, plain, N (plain));

  tau_assert_line (result, 1,
                   "span node0/0 main int (int, char **) ts=1700000000000001000 dur=11000 self=4000 depth=0 flags=");
  tau_assert_line (
      result, 1,
      "span node0/0 work(int) [{a.c} {8,1}-{12,1}] ts=1700000000000003000 dur=7000 self=7000 depth=1 flags=");
  g_assert_cmpuint (tau_count (result, "span "), ==, 2);
  g_assert_nonnull (strstr (tau_line (result, "source "), "clock=epoch"));
  assert_repairs (result, "(null)");
}

static void
test_layouts (void)
{
  static const TauRecord records[] = {
    INIT (3, 0, EPOCH),         { 1, 3, 0, 1, EPOCH }, { 60007, 3, 0, 0x0102030405060708, EPOCH + 1 },
    { 1, 3, 0, -1, EPOCH + 5 }, END (3, 0, EPOCH + 5),
  };
  g_autofree char *first = NULL;

  for (TtTauLayout layout = 0; layout < TT_TAU_N_LAYOUTS; layout++)
    {
      g_auto (TauFolder) folder = { 0 };
      tau_folder_init (&folder);
      g_autoptr (TauResult) result = import_as (&folder, layout, records, N (records), tau_edf, TRUE);
      g_autofree char *lines = tau_sorted (result);

      g_assert_no_error (result->error);
      if (first == NULL)
        first = g_steal_pointer (&lines);
      else
        g_assert_cmpstr (lines, ==, first);
    }
  g_assert_nonnull (strstr (first, "span node3/0"));
}

/* In the 32-byte layout, node 3 of thread 0 with clean padding reads as the magic of a 24-byte record. */
static void
test_layout_tie (void)
{
  static const TauRecord records[] = { INIT (3, 0, 100), { 1, 3, 0, 1, 101 }, { 1, 3, 0, -1, 103 }, END (3, 0, 104) };

  for (TtTauLayout layout = TT_TAU_32LE; layout <= TT_TAU_32BE; layout++)
    {
      g_auto (TauFolder) folder = { 0 };
      tau_folder_init (&folder);
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      tau_add (bytes, layout, records, N (records));
      for (guint i = 0; i < N (records); i++)
        memset (bytes->data + i * 32 + 12, 0, 4);
      g_autofree char *trc = tau_write (&folder, "run.trc", bytes->data, bytes->len);
      g_autofree char *edf = tau_write (&folder, "run.edf", tau_edf, -1);
      const char *const paths[] = { trc, edf, NULL };
      g_autoptr (TauResult) result = tau_import (paths, FALSE);
      tau_assert_line (result, 1, "span node3/0 main int (int, char **) ts=101000 dur=2000 self=2000 depth=0 flags=");
      g_assert_nonnull (strstr (tau_line (result, "source "), "clock=relative"));
    }
}

static void
test_user_events (void)
{
  static const TauRecord records[] = {
    INIT (0, 0, 10),         { 5, 0, 0, 0, 11 },  { 5, 0, 0, 750, 12 }, { 5, 0, 0, 0, 13 }, /* 750 */
    { 5, 0, 0, 0, 21 },      { 5, 0, 0, 0, 22 },  { 5, 0, 0, 0, 23 },                       /* 0 */
    { 6, 0, 0, 0, 31 },      { 6, 0, 0, -5, 32 }, { 6, 0, 0, 0, 33 }, /* context event: a series of its own */
    { 5, 0, 0, 7, 41 },                                               /* without fences */
    { 5, 0, 0, 8, 42 },      { 5, 0, 0, 9, 43 },  { 5, 0, 0, 0, 51 },   { 5, 0, 1, 0, 51 }, { 5, 0, 0, 3, 52 },
    { 5, 0, 1, 4, 52 },      { 5, 0, 1, 0, 53 },  { 5, 0, 0, 0, 53 },   { 5, 0, 0, 0, 61 }, { 60001, 0, 0, 1, 61 },
    { 60001, 0, 0, -1, 62 }, { 5, 0, 0, 6, 62 },  { 5, 0, 0, 0, 63 },   { 5, 0, 0, 0, 71 }, { 1, 0, 0, 1, 72 },
    { 5, 0, 0, 5, 73 },      { 5, 0, 0, 0, 74 },  { 14, 0, 0, 0, 80 }, /* the clock's offset is one record */
    { 1, 0, 0, -1, 90 },     END (0, 0, 91),      END (0, 1, 91),
  };
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autoptr (TauResult) result = import (&folder, records, N (records));

  static const char *const lines[] = {
    "counter node0/0 Bytes ts=12000 value=750",
    "counter node0/0 Bytes ts=22000 value=0",
    "counter node0/0 Bytes : main ts=32000 value=-5",
    "counter node0/0 Bytes ts=41000 value=7",
    "counter node0/0 Bytes ts=42000 value=8",
    "counter node0/0 Bytes ts=43000 value=9",
    "counter node0/0 Bytes ts=52000 value=3",
    "counter node0/1 Bytes ts=52000 value=4",
    "counter node0/0 Bytes ts=62000 value=6",
    /* A run broken by an enter: each record by itself. */
    "counter node0/0 Bytes ts=71000 value=0",
    "counter node0/0 Bytes ts=73000 value=5",
    "counter node0/0 Bytes ts=74000 value=0",
    "counter node0/0 TauTraceClockOffsetStart ts=80000 value=0",
  };
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    tau_assert_line (result, 1, lines[i]);
  g_assert_cmpuint (tau_count (result, "counter "), ==, G_N_ELEMENTS (lines));
  assert_repairs (result, "(null)");
}

static void
test_metadata (void)
{
  static const TauRecord records[] = {
    INIT (0, 0, 10),     { 7, 0, 0, 0, 11 },  { 7, 0, 0, 1, 11 },  { 7, 0, 0, 0, 11 },  { 7, 1, 0, 0, 11 },
    { 7, 1, 0, 1, 11 },  { 7, 1, 0, 0, 11 },  { 7, 0, 0, 1, 12 },  { 16, 0, 0, 0, 13 }, { 16, 0, 0, 1, 13 },
    { 16, 0, 0, 0, 13 }, { 17, 0, 0, 0, 14 }, { 17, 0, 0, 1, 14 }, { 17, 0, 0, 0, 14 }, { 7, 0, 0, 0, 15 },
    { 7, 0, 0, 44, 15 }, { 7, 0, 0, 0, 15 },
  };
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autofree char *edf = g_strconcat (
      tau_edf, "16 TAUEVENT 0 \"Host | b | c\" TriggerValue\n17 TAUEVENT 0 \"None | \" TriggerValue\n", NULL);
  g_autoptr (TauResult) result = import_as (&folder, TT_TAU_24LE, records, N (records), edf, FALSE);

  tau_assert_line (result, 1, "metadata node0/0 Host=a");
  tau_assert_line (result, 1, "metadata node1/0 Host=a");
  tau_assert_line (result, 1, "metadata node0/0 Host=b | c");
  tau_assert_line (result, 1, "metadata node0/0 None=");
  /* Only the value 1 makes it metadata. */
  tau_assert_line (result, 1, "counter node0/0 Host | a ts=15000 value=44");
  g_assert_cmpuint (tau_count (result, "metadata "), ==, 4);
  assert_repairs (
      result, "{\"row_count\":{\"count\":1,\"first_line\":1},\"metadata_clash\":{\"count\":1,\"first_offset\":216}}");
}

/* Metrics follow each enter and leave; a flush may come between, and is then put behind them. */
static void
test_metrics (void)
{
  static const TauRecord records[] = {
    INIT (0, 0, 10),       { 1, 0, 0, 1, 10 },    { 8, 0, 0, 100, 10 },   { 9, 0, 0, 1000, 10 },
    { 2, 0, 0, 1, 20 },    { 8, 0, 0, 130, 20 },  { 60001, 0, 0, 1, 20 }, { 60001, 0, 0, -1, 29 },
    { 9, 0, 0, 1500, 20 }, { 2, 0, 0, -1, 30 },   { 60001, 0, 0, 1, 30 }, { 60001, 0, 0, -1, 35 },
    { 8, 0, 0, 190, 30 },  { 9, 0, 0, 1501, 30 }, { 8, 0, 0, 200, 36 }, /* not of an enter or leave: a counter */
    { 1, 0, 0, -1, 40 },   { 8, 0, 0, 260, 40 },  { 9, 0, 0, 2600, 40 },  END (0, 0, 41),
  };
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autoptr (TauResult) result = import (&folder, records, N (records));

  tau_assert_line (result, 1, "metric work(int) [{a.c} {8,1}-{12,1}] CYC incl=60 excl=60");
  tau_assert_line (result, 1, "metric work(int) [{a.c} {8,1}-{12,1}] INS incl=1 excl=1");
  tau_assert_line (result, 1, "metric main int (int, char **) CYC incl=160 excl=100");
  tau_assert_line (result, 1, "metric main int (int, char **) INS incl=1600 excl=1599");
  g_assert_cmpuint (tau_count (result, "metric "), ==, 4);
  tau_assert_line (result, 1, "counter node0/0 CYC ts=36000 value=200");
  tau_assert_line (result, 1, "span node0/0 FLUSH ts=20000 dur=9000 self=9000 depth=2 flags=");
  tau_assert_line (result, 1, "span node0/0 FLUSH ts=30000 dur=5000 self=5000 depth=1 flags=");
  tau_assert_line (result, 1,
                   "span node0/0 work(int) [{a.c} {8,1}-{12,1}] ts=20000 dur=10000 self=1000 depth=1 flags=");
  assert_repairs (result, "(null)");
}

static void
test_messages (void)
{
  const TauRecord records[] = {
    INIT (0, 0, 10),
    { 3, 0, 0, 1, 11 },
    { 60007, 0, 0, tau_message (1, 4464, 6 << 20, 5), 12 },
    { 3, 0, 0, -1, 13 },
    { 4, 1, 2, 1, 11 },
    { 60008, 1, 2, tau_message (0, 4464, (1 << 26) - 1, 5), 12 },
    { 4, 1, 2, -1, 13 },
    { 60008, 1, 2, tau_message (300, 65535, 0, 63), 14 },
    END (0, 0, 20),
    END (1, 2, 20),
  };
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autoptr (TauResult) result = import (&folder, records, N (records));

  tau_assert_line (result, 1, "half send node0/0 peer=node1 tag=4464 comm=5 bytes=6291456 ts=12000 in=MPI_Send()");
  tau_assert_line (result, 1, "half recv node1/2 peer=node0 tag=4464 comm=5 bytes=67108863 ts=12000 in=MPI_Recv()");
  tau_assert_line (result, 1, "half recv node1/2 peer=node300 tag=65535 comm=63 bytes=0 ts=14000 in=-");
}

static void
test_onesided (void)
{
  static const TauRecord records[] = {
    INIT (0, 0, 10),     { 10, 0, 0, 4096, 11 }, { 12, 0, 0, 7, 11 }, { 13, 0, 0, 99, 11 }, { 11, 0, 9, -1, 12 },
    { 12, 0, 9, 7, 12 }, { 13, 0, 9, 99, 12 },   { 10, 0, 0, 5, 13 }, { 1, 0, 0, 1, 14 },   { 12, 0, 0, 8, 15 },
    { 1, 0, 0, -1, 16 }, END (0, 0, 20),         END (0, 9, 20),
  };
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autoptr (TauResult) result = import (&folder, records, N (records));

  tau_assert_line (result, 1, "half send node0/0 peer=node0 tag=7 comm=99 bytes=4096 ts=11000 in=- onesided");
  tau_assert_line (result, 1, "half recv node0/9 peer=node0 tag=7 comm=99 bytes=-1 ts=12000 in=- onesided");
  tau_assert_line (result, 1, "counter node0/0 ONESIDED_MESSAGE_SEND ts=13000 value=5");
  tau_assert_line (result, 1, "counter node0/0 ONESIDED_MESSAGE_ID_TriggerValueT1 ts=15000 value=8");
  assert_repairs (result, "{\"unpaired_onesided\":{\"count\":2,\"first_offset\":168}}");
}

static void
test_checkpoints (void)
{
  static const TauRecord records[] = {
    INIT (0, 4, 10),    { 1, 0, 4, 1, 11 }, END (0, 4, 12),      { 1, 0, 4, -1, 13 },
    { 1, 0, 4, 1, 14 }, END (0, 4, 15),     { 1, 0, 4, -1, 16 }, END (0, 4, 17),
  };
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autoptr (TauResult) result = import_as (&folder, TT_TAU_24LE, records, N (records), tau_edf, TRUE);

  g_assert_no_error (result->error);
  g_assert_cmpuint (tau_count (result, "span node0/4 main"), ==, 2);
  tau_assert_line (result, 1, "span node0/4 main int (int, char **) ts=11000 dur=2000 self=2000 depth=0 flags=");
}

/* -- section 9: warn and go on -------------------------------------------------------------------- */

typedef struct
{
  const char *what;
  TauRecord records[8];
  const char *repairs; /* of --lenient */
  const char *strict;  /* message of --strict */
} RepairCase;

static const RepairCase repair_cases[] = {
  { "id not defined",
    { INIT (0, 0, 10),
      { 1, 0, 0, 1, 11 },
      { 77, 0, 0, 1, 12 },
      { 77, 0, 0, 1, 12 },
      { 1, 0, 0, -1, 13 },
      END (0, 0, 14) },
    "{\"unknown_id\":{\"count\":2,\"first_offset\":48}}",
    "*run.trc: record 2 at byte 48: event id 77 is not in '*run.edf'" },
  { "no closing record",
    { INIT (0, 0, 10), { 1, 0, 0, 1, 11 }, { 1, 0, 0, -1, 13 } },
    "{\"no_close\":{\"count\":1,\"first_offset\":48}}",
    "*run.trc: record 2 at byte 48: *closing record*" },
  { "leave without enter",
    { INIT (0, 0, 10), { 1, 0, 0, 1, 11 }, { 2, 0, 0, -1, 12 }, { 1, 0, 0, -1, 13 }, END (0, 0, 14) },
    "{\"leave_without_enter\":{\"count\":1,\"first_offset\":48}}",
    "*run.trc: record 2 at byte 48: *without an enter*" },
  { "leave of what is not on top",
    { INIT (0, 0, 10), { 1, 0, 0, 1, 11 }, { 2, 0, 0, 1, 12 }, { 1, 0, 0, -1, 13 }, END (0, 0, 14) },
    "{\"leave_not_top\":{\"count\":1,\"first_offset\":72},\"bounded_end\":{\"count\":1,\"first_offset\":48}}",
    "*run.trc: record 2 at byte 48: *" },
  { "enter without leave",
    { INIT (0, 0, 10), { 1, 0, 0, 1, 11 }, END (0, 0, 14) },
    "{\"unclosed\":{\"count\":1,\"first_offset\":24}}",
    "*run.trc: record 1 at byte 24: *never left*" },
  { "time backwards",
    { INIT (0, 0, 10),
      { 1, 0, 0, 1, 11 },
      { 2, 0, 0, 1, 12 },
      { 2, 0, 0, -1, 11 },
      { 1, 0, 0, -1, 20 },
      END (0, 0, 21) },
    "{\"time_backwards\":{\"count\":1,\"first_offset\":72},\"end_before_start\":{\"count\":1,\"first_offset\":48}}",
    "*run.trc: record 2 at byte 48: *" },
  { "parameter that is neither enter nor leave",
    { INIT (0, 0, 10), { 1, 0, 0, 1, 11 }, { 2, 0, 0, 2, 12 }, { 1, 0, 0, -1, 13 }, END (0, 0, 14) },
    "{\"bad_parameter\":{\"count\":1,\"first_offset\":48}}",
    "*run.trc: record 2 at byte 48: *" },
  { "node 65535",
    { INIT (65535, 0, 10), { 1, 65535, 0, 1, 11 }, { 1, 65535, 0, -1, 13 }, END (65535, 0, 14) },
    "{\"unset_node\":{\"count\":5,\"first_offset\":0}}",
    "*run.trc: record 0 at byte 0: *65535*" },
  { "kind not known",
    { INIT (0, 0, 10), { 15, 0, 0, 1, 11 }, { 15, 0, 0, 1, 11 }, END (0, 0, 14) },
    "{\"unknown_kind\":{\"count\":2,\"first_offset\":24}}",
    "*run.trc: record 1 at byte 24: *" },
};

static void
test_repairs (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (repair_cases); i++)
    {
      const RepairCase *c = &repair_cases[i];
      guint n = 0;
      g_auto (TauFolder) folder = { 0 };

      g_test_message ("%s", c->what);
      while (n < N (c->records) && c->records[n].event != 0)
        n++;
      tau_folder_init (&folder);
      g_autoptr (TauResult) lenient = import (&folder, c->records, n);
      assert_repairs (lenient, c->repairs);
      g_autoptr (TauResult) strict = import_as (&folder, TT_TAU_24LE, c->records, n, tau_edf, TRUE);
      tau_assert_fails (strict, c->strict);
    }
}

static void
test_stray_bytes (void)
{
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  tau_add (bytes, TT_TAU_24LE, plain, N (plain));
  g_byte_array_append (bytes, (const guint8 *) "strays", 6);
  g_autofree char *trc = tau_write (&folder, "run.trc", bytes->data, bytes->len);
  g_autofree char *edf = tau_write (&folder, "run.edf", tau_edf, -1);
  const char *const paths[] = { trc, edf, NULL };

  g_autoptr (TauResult) result = tau_import (paths, FALSE);
  assert_repairs (result, "{\"stray_bytes\":{\"count\":6,\"first_offset\":168}}");
  g_assert_cmpuint (tau_count (result, "span "), ==, 2);
  g_autoptr (TauResult) strict = tau_import (paths, TRUE);
  tau_assert_fails (strict, "*run.trc: record 7 at byte 168: bytes after the last whole record*");
}

static void
test_no_magic (void)
{
  for (TtTauLayout layout = 0; layout < TT_TAU_N_LAYOUTS; layout++)
    {
      g_auto (TauFolder) folder = { 0 };
      tau_folder_init (&folder);
      g_autoptr (TauResult) result = import_as (&folder, layout, plain + 1, N (plain) - 1, tau_edf, FALSE);
      assert_repairs (result, "{\"no_magic\":{\"count\":1,\"first_offset\":0}}");
      g_assert_cmpuint (tau_count (result, "span "), ==, 2);
    }
}

static void
test_edf_repairs (void)
{
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autofree char *edf =
      g_strconcat (tau_edf, "16 TAU_USER 0 \"work(int) [{a.c} {8,1}-{12,1}]\" EntryExit\n1 X 0 \"other\" none\n", NULL);
  static const TauRecord records[] = {
    INIT (0, 0, 10), { 1, 0, 0, 1, 11 }, { 2, 0, 0, 1, 12 }, { 16, 0, 0, -1, 13 }, { 1, 0, 0, -1, 14 }, END (0, 0, 15),
  };

  /* Two ids with one name are one state. */
  g_autoptr (TauResult) result = import_as (&folder, TT_TAU_24LE, records, N (records), edf, FALSE);
  assert_repairs (result,
                  "{\"row_count\":{\"count\":1,\"first_line\":1},\"duplicate_id\":{\"count\":1,\"first_line\":26},"
                  "\"duplicate_name\":{\"count\":1,\"first_line\":25}}");
  g_assert_cmpuint (tau_count (result, "span "), ==, 2);
  g_autoptr (TauResult) strict = import_as (&folder, TT_TAU_24LE, records, N (records), edf, TRUE);
  tau_assert_fails (strict, "*run.edf: line 1: *");
}

static void
test_huge_depth (void)
{
  const guint depth = 200000;
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const TauRecord init = INIT (0, 0, 1);
  const TauRecord end[] = { END (0, 0, 3 * depth) };

  tau_add (bytes, TT_TAU_24LE, &init, 1);
  for (guint i = 0; i < 2 * depth; i++)
    tau_add (bytes, TT_TAU_24LE, &(TauRecord){ 1 + i % 2, 0, 0, 1, i + 2 }, 1);
  for (guint i = 2 * depth; i-- > 0;)
    tau_add (bytes, TT_TAU_24LE, &(TauRecord){ 1 + i % 2, 0, 0, -1, 3 * depth }, 1);
  tau_add (bytes, TT_TAU_24LE, end, 2);
  g_autofree char *trc = tau_write (&folder, "run.trc", bytes->data, bytes->len);
  g_autofree char *edf = tau_write (&folder, "run.edf", tau_edf, -1);
  const char *const paths[] = { trc, edf, NULL };
  g_autoptr (TauResult) result = tau_import (paths, TRUE);
  g_assert_no_error (result->error);
  g_assert_cmpuint (tau_count (result, "span "), ==, 2 * depth);
}

/* -- section 9: errors ------------------------------------------------------------------------------- */

static void
test_errors (void)
{
  static const TauRecord late[] = { INIT (0, 0, G_MAXUINT64 / 1000), { 1, 0, 0, 1, G_MAXUINT64 / 1000 } };
  static const TauRecord foreign[] = { { 500, 0, 0, 3, 1 }, { 501, 0, 0, 1, 2 } };
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autofree char *edf = tau_write (&folder, "run.edf", tau_edf, -1);
  g_autofree char *random = g_malloc (4800);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4711);
  for (guint i = 0; i < 4800; i++)
    random[i] = (char) g_rand_int (rand);
  const struct
  {
    const char *bytes;
    gssize len;
    const char *message;
  } cases[] = {
    { "", 0, "*run.trc: an empty trace, 0 bytes" },
    { random, 23, "*run.trc: 23 bytes are less than one record*" },
    { random, 4800, "*run.trc: not a TAU trace: record 0 at byte 0*'*run.edf'" },
    { tau_edf, -1, "*run.trc*only definitions*needs its trace*" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *trc = tau_write (&folder, "run.trc", cases[i].bytes, cases[i].len);
      const char *const paths[] = { trc, edf, NULL };
      g_autoptr (TauResult) result = tau_import (paths, FALSE);
      tau_assert_fails (result, cases[i].message);
    }
  g_autofree char *zeros = g_malloc0 (960);
  g_autofree char *trc = tau_write (&folder, "run.trc", zeros, 960);
  const char *const paths[] = { trc, edf, NULL };
  g_autoptr (TauResult) blank = tau_import (paths, FALSE);
  tau_assert_fails (blank, "*run.trc: not a TAU trace*");

  g_autoptr (TauResult) overflow = import (&folder, late, N (late));
  tau_assert_fails (overflow, "*run.trc: record 0 at byte 0: the time is too large*");
  g_autoptr (TauResult) other = import (&folder, foreign, N (foreign));
  tau_assert_fails (other, "*run.trc: not a TAU trace, or '*run.edf' is not its definitions*");
}

/* -- files ------------------------------------------------------------------------------------------- */

static void
test_gz (void)
{
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  tau_add (bytes, TT_TAU_32BE, plain, N (plain));
  g_autofree char *trc = g_build_filename (folder.path, "run.trc.gz", NULL);
  g_autofree char *edf = g_build_filename (folder.path, "run.edf.gz", NULL);
  gzFile file = gzopen (trc, "wb");
  g_assert_cmpint (gzwrite (file, bytes->data, bytes->len), ==, (int) bytes->len);
  gzclose (file);
  file = gzopen (edf, "wb");
  gzputs (file, tau_edf);
  gzclose (file);

  const char *const paths[] = { trc, NULL };
  g_autoptr (TauResult) result = tau_import (paths, TRUE);
  g_assert_no_error (result->error);
  g_assert_cmpuint (tau_count (result, "span "), ==, 2);
}

/* More than one block, and rank files against the same records in one. */
static void
test_many_records (void)
{
  const guint n = 60000;
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  g_autoptr (GByteArray) merged = g_byte_array_new ();
  g_autoptr (GPtrArray) ranks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  guint64 ti = EPOCH;

  for (guint nid = 0; nid < 3; nid++)
    {
      g_ptr_array_add (ranks, g_byte_array_new ());
      const TauRecord init = INIT ((guint16) nid, 0, ti);
      tau_add (merged, TT_TAU_24BE, &init, 1);
      tau_add (ranks->pdata[nid], TT_TAU_24BE, &init, 1);
    }
  for (guint i = 0; i < n; i++)
    for (guint nid = 0; nid < 3; nid++)
      {
        const TauRecord record = { 1 + (i / 2) % 2, (guint16) nid, 0, i % 2 == 0 ? 1 : -1, ++ti };
        tau_add (merged, TT_TAU_24BE, &record, 1);
        tau_add (ranks->pdata[nid], TT_TAU_24BE, &record, 1);
      }
  g_autofree char *trc = tau_write (&folder, "run.trc", merged->data, merged->len);
  g_free (tau_write (&folder, "run.edf", tau_edf, -1));
  for (guint nid = 0; nid < 3; nid++)
    {
      g_autofree char *name = g_strdup_printf ("job/tautrace.%u.0.0.trc", nid);
      g_autofree char *definitions = g_strdup_printf ("job/events.%u.edf", nid);
      GByteArray *bytes = ranks->pdata[nid];
      g_free (tau_write (&folder, name, bytes->data, bytes->len));
      g_free (tau_write (&folder, definitions, tau_edf, -1));
    }
  g_autofree char *job = g_build_filename (folder.path, "job", NULL);
  const char *const one[] = { trc, NULL }, *const many[] = { job, NULL };
  g_autoptr (TauResult) first = tau_import (one, FALSE);
  g_autoptr (TauResult) second = tau_import (many, FALSE);
  g_autofree char *lines = tau_sorted (first), *others = tau_sorted (second);
  g_assert_no_error (first->error);
  g_assert_no_error (second->error);
  g_assert_cmpuint (tau_count (first, "span "), ==, 3 * n / 2);
  g_assert_true (strcmp (lines, others) == 0);
  g_assert_cmpuint (tau_count (second, "source "), ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/tau/import/spans", test_spans);
  g_test_add_func ("/tau/import/layouts", test_layouts);
  g_test_add_func ("/tau/import/layout-tie", test_layout_tie);
  g_test_add_func ("/tau/import/user-events", test_user_events);
  g_test_add_func ("/tau/import/metadata", test_metadata);
  g_test_add_func ("/tau/import/metrics", test_metrics);
  g_test_add_func ("/tau/import/messages", test_messages);
  g_test_add_func ("/tau/import/onesided", test_onesided);
  g_test_add_func ("/tau/import/checkpoints", test_checkpoints);
  g_test_add_func ("/tau/import/repairs", test_repairs);
  g_test_add_func ("/tau/import/stray-bytes", test_stray_bytes);
  g_test_add_func ("/tau/import/no-magic", test_no_magic);
  g_test_add_func ("/tau/import/edf-repairs", test_edf_repairs);
  g_test_add_func ("/tau/import/huge-depth", test_huge_depth);
  g_test_add_func ("/tau/import/errors", test_errors);
  g_test_add_func ("/tau/import/gz", test_gz);
  g_test_add_func ("/tau/import/many-records", test_many_records);
  return g_test_run ();
}
