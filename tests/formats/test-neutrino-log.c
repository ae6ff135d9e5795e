/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/log.h"

#include <glib/gstdio.h>

/* The log of a Neutrino run, line by line as its format has them. */

#define NAMES "[mod] cuModuleGetFunction func 0xa mod 0x1 name ka\n[mod] cuModuleGetFunction func 0xb mod 0x1 name kb\n"
#define BEGIN_A "[exec] funcmap-find 0xa success\n[exec] 1000 param 1 \n[exec] grid 2 1 1 block 64 1 1 shared 0\n"
#define BEGIN_B "[exec] funcmap-find 0xb success\n[exec] 2000 param 2 \n[exec] grid 4 1 1 block 64 1 1 shared 8\n"
#define MAP_A "[exec] grid 2 warp  2 probe 16 total 64\n"
#define MAP_B "[exec] grid 4 warp  2 probe 16 total 128\n"

static TtNeutrinoLog *
read_log (const char *text)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int file = g_file_open_tmp ("neutrino-XXXXXX.log", &path, NULL);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_autoptr (TtInput) input = tt_input_open (path, &error);
  g_unlink (path);
  g_assert_no_error (error);
  TtNeutrinoLog *log = tt_neutrino_log_read (input, &error);
  g_assert_no_error (error);
  return log;
}

/* Two threads launch at once: each line fits one of them, by its stage, its blocks or its bytes. */
static void
test_two_at_once (void)
{
  /* A file has 32 bytes of header, 16 a map, and the bytes of the maps: 32 + 16 + 128. */
  g_autoptr (TtNeutrinoLog) log =
      read_log (NAMES BEGIN_A BEGIN_B MAP_B MAP_A "[exec] probe-mem 128 (bytes)\n[exec] succeed 0\n"
                                                  "[exec] probe-mem 64 (bytes)\n[exec] failed 700\n"
                                                  "[exec] save run/result/1.000000.bin size 176\n"
                                                  "[exec] prologue 0.5 kernel 0.25 epilogue 0.125 ratio 3.5\n");

  g_assert_cmpuint (log->launches->len, ==, 2);
  const TtNeutrinoLaunch *a = log->launches->pdata[0], *b = log->launches->pdata[1];
  g_assert_cmpstr (a->kernel, ==, "ka");
  g_assert_cmpint (a->ts_ns, ==, 1000);
  g_assert_cmpint (a->outcome, ==, TT_NEUTRINO_FAILED);
  g_assert_cmpint (a->code, ==, 700);
  g_assert_cmpstr (a->result, ==, NULL);
  g_assert_cmpuint (a->map_bytes, ==, 64);
  g_assert_cmpstr (b->kernel, ==, "kb");
  g_assert_cmpint (b->ts_ns, ==, 2000);
  g_assert_cmpint (b->outcome, ==, TT_NEUTRINO_PROBED);
  g_assert_cmpint (b->code, ==, 0);
  g_assert_cmpstr (b->result, ==, "1.000000.bin");
  g_assert_cmpuint (b->shared_bytes, ==, 8);
  g_assert_cmpuint (b->map_bytes, ==, 128);
  g_assert_cmpint (b->prologue_ns, ==, 500000);
  g_assert_cmpint (b->kernel_ns, ==, 250000);
  g_assert_cmpint (b->epilogue_ns, ==, 125000);
  g_assert_true (tt_neutrino_log_of_result (log, "1.000000.bin") == b);
  g_assert_false (a->is_guess || b->is_guess);
  g_assert_cmpuint (tt_repairs_total (&log->repairs), ==, 0);
}

/* Of two launches that are equally far, the result is the older one's, and both are a guess. */
static void
test_guess (void)
{
  g_autoptr (TtNeutrinoLog) log = read_log (NAMES BEGIN_A BEGIN_B MAP_A MAP_B "[exec] probe-mem 64 (bytes)\n"
                                                                              "[exec] probe-mem 128 (bytes)\n"
                                                                              "[exec] failed 1\n[exec] failed 2\n");

  g_assert_cmpuint (log->launches->len, ==, 2);
  const TtNeutrinoLaunch *a = log->launches->pdata[0], *b = log->launches->pdata[1];
  g_assert_cmpint (a->code, ==, 1);
  g_assert_cmpint (b->code, ==, 2);
  g_assert_true (a->is_guess && b->is_guess);
  g_assert_cmpuint (log->repairs.count[TT_REPAIR_SHARED_LINE], ==, 1);
  g_assert_cmpuint (tt_repairs_total (&log->repairs), ==, 1);
}

/* A log may end anywhere. */
static void
test_unfinished (void)
{
  g_autoptr (TtNeutrinoLog) log = read_log (NAMES BEGIN_A MAP_A "[exec] probe-mem 64 (bytes)\n");

  g_assert_cmpuint (log->launches->len, ==, 1);
  const TtNeutrinoLaunch *a = log->launches->pdata[0];
  g_assert_cmpint (a->outcome, ==, TT_NEUTRINO_UNFINISHED);
  g_assert_cmpint (a->kernel_ns, ==, TT_NO_TIME);
  g_assert_cmpuint (log->repairs.count[TT_REPAIR_UNCLOSED], ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/neutrino-log/two-at-once", test_two_at_once);
  g_test_add_func ("/neutrino-log/guess", test_guess);
  g_test_add_func ("/neutrino-log/unfinished", test_unfinished);
  return g_test_run ();
}
