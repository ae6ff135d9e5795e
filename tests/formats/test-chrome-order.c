/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/record-packing.h"
#include "formats/chrome-export/records.h"
#include "src/trace/nest/nest.h"

#include "tests/formats/chrome-test.h"

/* The order of what is written. What a sink is told is sorted by the places of begins; the rows of a database, which the same
 * text is made of beside it, by their keys alone. */

#define N_THREADS 4u
#define N_NAMES 6u
#define MAX_OPEN 40u

typedef struct
{
  GRand *rand;
  TtSink *sink;
  TtNest *nest;
  TtNestThread *threads[N_THREADS];
  guint32 ids[N_THREADS], names[N_NAMES], open[N_THREADS][MAX_OPEN];
  guint n_open[N_THREADS];
  gint64 now;
} Odd;

static guint32 seed;
static guint n_steps;
static gboolean is_whole; /* spans come with their ends */

static gboolean
happens (Odd *self, gint32 one_in)
{
  return g_rand_int_range (self->rand, 0, one_in) == 0;
}

static guint32
any_name (Odd *self)
{
  return self->names[g_rand_int_range (self->rand, 0, N_NAMES)];
}

/* Ends without a begin are among them, ends of what is not innermost, and begins that never end. */
static void
enter_or_leave (Odd *self, guint i)
{
  guint *n_open = &self->n_open[i];

  if (happens (self, 50))
    tt_nest_leave (self->nest, self->threads[i], any_name (self), self->now, 1);
  else if (*n_open < MAX_OPEN && (*n_open == 0 || happens (self, 2)))
    {
      self->open[i][*n_open] = any_name (self);
      tt_nest_enter (self->nest, self->threads[i], self->open[i][(*n_open)++], self->now, 1);
    }
  else if (*n_open > 1 || happens (self, 100))
    {
      --*n_open;
      if (!happens (self, 200))
        tt_nest_leave (self->nest, self->threads[i], self->open[i][*n_open], self->now, 1);
    }
}

/* Among these are spans that cross others, of another thread's line, and such whose depth is told. */
static void
add_whole (Odd *self, guint i)
{
  TtNestSpan span = {
    .name = any_name (self),
    .ts_ns = self->now,
    .end_ns = self->now + (happens (self, 20) ? 100000 : g_rand_int_range (self->rand, 0, 6)),
    .step = happens (self, 30) ? 3 : TT_NO_STEP,
    .track = happens (self, 20) ? self->ids[g_rand_int_range (self->rand, 0, N_THREADS)] : 0,
    .is_told = happens (self, 20),
    .told_depth = (guint32) g_rand_int_range (self->rand, 0, 3),
    .flags = happens (self, 20) ? TT_FLAG_ASYNC : 0,
  };

  if (happens (self, 100))
    span.end_ns = span.ts_ns - 1;
  tt_nest_span (self->nest, self->threads[i], &span);
}

static void
add_something (Odd *self)
{
  guint i = (guint) g_rand_int_range (self->rand, 0, N_THREADS);

  self->now += g_rand_int_range (self->rand, 0, 3);
  if (happens (self, 4000))
    self->now -= g_rand_int_range (self->rand, 0, 3000);
  if (happens (self, 20))
    {
      const TtNestSpan instant = { .name = any_name (self), .ts_ns = self->now, .step = TT_NO_STEP };
      tt_nest_moment (self->nest, self->threads[i], &instant);
    }
  else if (happens (self, 40))
    tt_sink_event (self->sink, self->ids[i], any_name (self), self->now, 2, 2, 1, 0, TT_NO_STEP, 0);
  else if (is_whole)
    add_whole (self, i);
  else
    enter_or_leave (self, i);
}

static void
fill_odd (TtSink *sink)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (TtNest) nest = tt_nest_new (sink);
  Odd self = { .rand = rand, .sink = sink, .nest = nest, .now = 5000 };

  tt_sink_begin_source (sink, "tau", "a", TT_CLOCK_RELATIVE);
  guint32 process = tt_sink_process (sink, "node0", NULL, NULL, 0);
  for (guint i = 0; i < N_THREADS; i++)
    {
      g_autofree char *tid = g_strdup_printf ("%u", i);
      self.ids[i] = tt_sink_thread (sink, process, tid, NULL, i);
      self.threads[i] = tt_nest_thread (nest, self.ids[i], process);
    }
  for (guint i = 0; i < N_NAMES; i++)
    {
      g_autofree char *raw = g_strdup_printf ("f%u", i);
      self.names[i] = chrome_name (sink, raw, "G", "COMP", NULL);
    }
  for (guint i = 0; i < n_steps; i++)
    add_something (&self);
  tt_nest_finish (nest);
  tt_sink_end_source (sink, 1, "a", TT_CLOCK_RELATIVE);
}

static void
check_orders (guint n_seeds, guint n)
{
  const guint32 first = g_test_rand_int ();

  n_steps = n;
  for (guint i = 0; i < 2 * n_seeds; i++)
    {
      TtExportOptions options = { 0 };
      TtExportReport report = { 0 };

      seed = first + i;
      is_whole = i % 2;
      g_autofree char *text = chrome_write (fill_odd, &options, &report, NULL);
      if (text == NULL)
        g_test_message ("seed %u, %s", seed, is_whole ? "whole spans" : "begins and ends");
      else
        g_assert_cmpuint (report.n_spans, >, n / 5);
    }
}

static void
test_few (void)
{
  check_orders (4, 400);
}

/* More than are kept in memory at their places. */
static void
test_many (void)
{
  check_orders (1, 80000);
}

/* -- on disk ------------------------------------------------------------------------------------------- */

#define N_PACKED 700u

static guint64
number_of_bits (guint n_bits)
{
  guint64 word = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();

  return n_bits == 0 ? 0 : word >> (64 - n_bits);
}

/* Of any length of any field, as many as come. */
static void
test_packing (void)
{
  const TtSortPacking *packing = &tt_chrome_record_packing;
  g_autofree ChromeRecord *records = g_new0 (ChromeRecord, N_PACKED), *back = g_new0 (ChromeRecord, N_PACKED);

  for (guint round = 0; round < 300; round++)
    {
      const guint n = (guint) g_test_rand_int_range (1, N_PACKED + 1), most = 1 + round % 64;
      g_autofree guint8 *packed = g_malloc (n * packing->most_bytes);
      guint64 ts = 0;

      for (guint i = 0; i < n; i++)
        {
          ts += number_of_bits ((guint) g_test_rand_int_range (0, (gint32) most + 1));
          records[i] = (ChromeRecord){
            .ts = ts,
            .order = number_of_bits ((guint) g_test_rand_int_range (0, 65)) & number_of_bits (i % 2 == 0 ? 64 : i % 50),
            .value = (gint64) number_of_bits ((guint) g_test_rand_int_range (0, (gint32) most + 1)),
            .name = (guint32) number_of_bits ((guint) g_test_rand_int_range (0, 33)),
            .bits = i % 5 == 0 || i == 0 ? (guint32) number_of_bits (32) : records[i - 1].bits,
          };
        }
      const guint8 *end = packing->pack (records, n, packed);
      g_assert_cmpuint ((gsize) (end - packed), <=, n * packing->most_bytes);
      packing->unpack (packed, n, back);
      g_assert_cmpmem (back, n * sizeof *back, records, n * sizeof *records);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/chrome-order/few", test_few);
  g_test_add_func ("/chrome-order/many", test_many);
  g_test_add_func ("/chrome-order/packed-records", test_packing);
  return g_test_run ();
}
