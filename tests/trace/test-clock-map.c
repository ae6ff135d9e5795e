/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shifts of clocks, beside the definition in integers of 128 bits.
 */
#include "config.h"

#include "src/base/int128.h"
#include "src/trace/clock-map.h"
#include "tests/rounds.h"

#define N_PIECES 400u
#define N_TIMES 60u

static guint64
random_bits (GRand *rand, guint bits)
{
  guint64 all = (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);

  return bits == 0 ? 0 : all >> (64 - bits);
}

static gint64
random_signed (GRand *rand, guint bits)
{
  gint64 value = (gint64) random_bits (rand, bits);

  return g_rand_boolean (rand) ? value : -value;
}

static TtClockPiece
random_piece (GRand *rand)
{
  TtClockPiece piece;

  do
    {
      piece.from_ns = random_signed (rand, (guint) g_rand_int_range (rand, 0, 62));
      piece.until_ns = piece.from_ns + 1 + (gint64) random_bits (rand, (guint) g_rand_int_range (rand, 1, 62));
      piece.shift_ns = random_signed (rand, (guint) g_rand_int_range (rand, 0, 61));
      piece.gain_ns = random_signed (rand, (guint) g_rand_int_range (rand, 0, 61));
    }
  while (!tt_clock_piece_is_sound (&piece));
  return piece;
}

static gint64
exact_shift (const TtClockPiece *piece, gint64 ns)
{
  tt_int128 product = (tt_int128) (CLAMP (ns, piece->from_ns, piece->until_ns) - piece->from_ns) * piece->gain_ns;

  return piece->shift_ns + (gint64) (product / (piece->until_ns - piece->from_ns));
}

/* Most where the quotient is whole, or all but. */
static gint64
random_time (GRand *rand, const TtClockPiece *piece)
{
  gint64 length_ns = piece->until_ns - piece->from_ns, gain_ns = ABS (piece->gain_ns);
  gint64 at_ns = (gint64) (random_bits (rand, 62) % (guint64) length_ns);

  if (gain_ns > 0 && g_rand_boolean (rand))
    {
      tt_int128 whole = (tt_int128) at_ns * gain_ns / length_ns;
      at_ns = (gint64) (whole * length_ns / gain_ns);
    }
  return piece->from_ns + CLAMP (at_ns + g_rand_int_range (rand, -2, 3), -1, length_ns + 1);
}

static void
test_shift (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20);

  for (guint i = 0; i < test_rounds (N_PIECES); i++)
    {
      const TtClockPiece piece = random_piece (rand);

      for (guint k = 0; k < N_TIMES; k++)
        {
          gint64 ns = random_time (rand, &piece);

          g_assert_cmpint (tt_clock_piece_shift (&piece, ns), ==, exact_shift (&piece, ns));
        }
    }
}

static void
test_slope (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);
  guint n_had = 0, n_asked = 0;

  for (guint i = 0; i < test_rounds (N_PIECES); i++)
    {
      const TtClockPiece piece = random_piece (rand);
      guint near = 0;

      for (guint k = 0; k < N_TIMES; k++)
        {
          gint64 ns = random_time (rand, &piece);
          const TtClockSlope slope = tt_clock_map_slope (&piece, 1, &near, ns);

          n_asked++;
          if (!tt_clock_slope_has (&slope, ns))
            continue;
          n_had++;
          g_assert_cmpint (tt_clock_slope_shift (&slope, ns), ==, exact_shift (&piece, ns));
          for (guint again = 0; again < 4; again++)
            {
              gint64 other_ns = random_time (rand, &piece);
              if (tt_clock_slope_has (&slope, other_ns))
                g_assert_cmpint (tt_clock_slope_shift (&slope, other_ns), ==, exact_shift (&piece, other_ns));
            }
        }
    }
  g_assert_cmpuint (n_had, >, n_asked / 2);
}

static void
test_slope_of_drift (void)
{
  const TtClockPiece pieces[] = { { 0, 1000000000, -7, 50000 }, { 1000000000, 3000000000, 49993, 0 } };
  const struct
  {
    gint64 ns, shift_ns, first_ns, last_ns;
  } expected[] = {
    { -5, -7, G_MININT64 / 2, -1 },
    { 30000, -6, 0, 999999999 },
    { 999999999, 49992, 0, 999999999 },
    { 2000000000, 49993, 1000000000, 2999999999 },
    { 3000000000, 49993, 3000000000, G_MAXINT64 / 2 },
  };
  const TtClockSlope none = TT_CLOCK_SLOPE_NONE;
  guint near = 7;

  g_assert_false (tt_clock_slope_has (&none, 0));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const TtClockSlope slope = tt_clock_map_slope (pieces, 2, &near, expected[i].ns);

      g_assert_cmpint (slope.first_ns, ==, expected[i].first_ns);
      g_assert_cmpint (slope.last_ns, ==, expected[i].last_ns);
      g_assert_cmpint (tt_clock_slope_shift (&slope, expected[i].ns), ==, expected[i].shift_ns);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock-map/shift", test_shift);
  g_test_add_func ("/clock-map/slope", test_slope);
  g_test_add_func ("/clock-map/slope-of-drift", test_slope_of_drift);
  return g_test_run ();
}
