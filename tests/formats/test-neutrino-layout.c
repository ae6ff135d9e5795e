/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/lanes.h"
#include "formats/neutrino-trace/layout.h"

#include <string.h>

/* "map warp 16x1: start u64@0 start/cycles, ...; row start end unit" */
static char *
describe (const TtNeutrinoLayout *layout)
{
  static const char *const roles[] = { "value", "start", "end", "elapsed", "unit" };
  static const char *const clocks[] = { "", "/cycles", "/ns", "/10ns" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < layout->maps->len; i++)
    {
      const TtNeutrinoMap *map = layout->maps->pdata[i];

      g_string_append_printf (text, "%s%s %s %ux%u:", i > 0 ? "; " : "", map->name, map->is_warp ? "warp" : "thread",
                              map->record_bytes, (guint) map->cap);
      for (guint k = 0; k < map->fields->len; k++)
        {
          const TtNeutrinoField *field = &g_array_index (map->fields, TtNeutrinoField, k);
          g_string_append_printf (text, " %s@%u %s%s", field->name, field->offset, roles[field->role],
                                  clocks[field->clock]);
        }
      g_string_append_printf (text, " (%d %d %d)", map->start, map->end, map->unit);
    }
  return g_string_free (text, FALSE);
}

typedef struct
{
  const char *name, *toml, *wanted; /* wanted: the layout, or the error after the file's name */
} Case;

#define REGS(fields) "[map.m]\nlevel = \"warp\"\nsize = 16\ncap = 1\n[map.m.regs]\n" fields
#define TIMES REGS ("a = [\"u64\", \"None\"]\nb = [\"u32\", \"None\"]\nc = [\"u32\", \"None\"]\n")
#define CODE(before, after) "[probe.p]\nbefore = \"\"\"" before "\"\"\"\nafter = \"\"\"" after "\"\"\"\n"

static const Case cases[] = {
  { "names", REGS ("start = [\"u64\"]\nelapsed = [\"u32\"]\ncuid = [\"u32\"]\n"),
    "m warp 16x1: start@0 start/cycles elapsed@8 elapsed cuid@12 unit (0 1 2)" },
  { "u64-first", REGS ("smid = [\"u32\"]\ngstart = [\"u64\"]\nelapsed = \"u32\"\n"),
    "m warp 16x1: gstart@0 start/ns smid@8 unit elapsed@12 elapsed (0 2 1)" },
  { "ptx-clock",
    TIMES CODE ("mov.u64 %NR0, %clock64;",
                "mov.u64 %NR1, %clock64;\nsub.u64 %NR2, %NR1, %NR0;\n"
                "cvt.u64.u32 %NR3, %smid;\nSAVE [ m ] { %NR0, %NR2, %NR3 };"),
    "m warp 16x1: a@0 start/cycles b@8 elapsed/cycles c@12 unit (0 1 2)" },
  { "ptx-time",
    CODE ("mov.u64 %NR0, %globaltimer;",
          "@%leader mov.u64 %NR1, %globaltimer;\nsub.u64 %NR2, %NR1, %NR0;\n"
          "and.b64 %NR2, %NR2, 4294967295;\n@%np0 SAVE [ m ] { %NR0, %NR2, %NR9 };") TIMES,
    "m warp 16x1: a@0 start/ns b@8 elapsed/ns c@12 value (0 1 -1)" },
  /* The difference of two clocks, and what a multiplication leaves, is no time. */
  { "ptx-other",
    TIMES CODE ("mov.u64 %NR0, %globaltimer;",
                "mov.u64 %NR1, %clock64;\nsub.u64 %NR2, %NR1, %NR0;\n"
                "mul.lo.u64 %NR0, %NR0, 3;\nSAVE [ m ] { %NR0, %NR2, %NR1 };"),
    "m warp 16x1: a@0 value b@8 value c@12 start/cycles (2 -1 -1)" },
  { "code-before-name",
    REGS ("start = [\"u64\"]\nelapsed = [\"u32\"]\ncuid = [\"u32\"]\n")
        CODE ("mov.u64 %NR0, %globaltimer;", "sub.u64 %NR1, %globaltimer, %NR0;\nSAVE [ m ] { %NR0, %NR1, %smid };"),
    "m warp 16x1: start@0 start/ns elapsed@8 elapsed/ns cuid@12 unit (0 1 2)" },
  { "seed-ptx",
    "[s]\nposition = \"kernel\"\ndatamodel = \"warp:16\"\nbefore = \"\"\"mov.u64 %gstart, %globaltimer;\"\"\"\n"
    "after = \"\"\"mov.u64 %gend, %globaltimer; // now\nsub.u64 %elapsed, %gend, %gstart;\ncvt.u32.u64 %elapse, "
    "%elapsed;\n"
    "SAVE.u64 {%gstart};\nSAVE.u32 {%elapse, %smid};\"\"\"\n",
    "s warp 16x1: gstart@0 start/ns elapsed@8 elapsed/ns smid@12 unit (0 1 2)" },
  { "seed-gcn",
    "[s]\ndatamodel = \"warp:16:4\"\nbefore = \"\"\"s_memrealtime s[nt_s:nt_s+1]\nv_mov_b32_e32 v[nv_gstart], s[nt_s]\n"
    "v_mov_b32_e32 v[nv_gstart+1], s[nt_s+1]\"\"\"\nafter = \"\"\"s_memrealtime s[nt_s:nt_s+1]\nv_mov_b32_e32 "
    "v[nv_gend], s[nt_s]\n"
    "v_sub_co_u32_e64 v[nv_elapsed], s[nt_c:nt_c+1], v[nv_gend], v[nv_gstart]\n"
    "v_subb_co_u32_e64 v[nv_elapsed+1], s[nt_c:nt_c+1], v[nv_gend+1], v[nv_gstart+1], s[nt_c:nt_c+1]\n"
    "v_mov_b32_e32 v[nv_elapse], v[nv_elapsed]\nSAVE.u64 {nv_gstart};\ns_getreg_b32 s[nt_s], hwreg(HW_REG_HW_ID, 8, "
    "8)\n"
    "v_mov_b32_e32 v[nt_w0], s[nt_s]\nv_lshl_or_b32 v[nt_w0], s[nt_s], 8, v[nt_w0]\nSAVE.u32 {nv_elapse, "
    "nt_w0};\"\"\"\n",
    "s warp 16x4: gstart@0 start/10ns elapsed@8 elapsed/10ns smid@12 unit (0 1 2)" },
  { "seed-dynamic", "[s]\ndatamodel = \"thread:16:count\"\nafter = \"SAVE.u64 {%a, %b};\"\n",
    "s thread 16x0: a@0 value b@8 value (-1 -1 -1)" },
  { "seed-conditional", "[s]\ndatamodel = \"thread:8\"\nafter = \"@%p SAVE.u64 {%a};\\n@%q SAVE.u64 {%b};\"\n",
    "s thread 8x1: w0@0 value (-1 -1 -1)" },
  { "starts", REGS ("clock = [\"u64\"]\nstart = [\"u64\"]\n"),
    "m warp 16x1: clock@0 start/cycles start@8 start/cycles (1 -1 -1)" },
  { "two-clocks",
    "[map.m]\nlevel = \"thread\"\nsize = 32\ncap = 2\n[map.m.regs]\nlstart = [\"u64\"]\ngstart = [\"u64\"]\ngend = "
    "[\"u64\"]\nn = [\"u64\"]\n",
    "m thread 32x2: lstart@0 start/cycles gstart@8 start/ns gend@16 end/ns n@24 value (1 2 -1)" },
  { "taken-names", REGS ("block = [\"u64\"]\nwarp = [\"u32\"]\nslot = [\"u32\"]\n"),
    "m warp 16x1: block_@0 value warp_@8 value slot_@12 value (-1 -1 -1)" },
  { "readme", "[ map.m ]\nlevel = \"warp\"\nsize = \"8\"\ncap = \"3\"\n[ map.m.regs ]\nx = \"u64\"\n",
    "m warp 8x3: x@0 value (-1 -1 -1)" },
  { "text", "area level cap record offset type field\nm warp 2 12 0 u64 start\nm warp 2 12 8 u32 elapsed\n",
    "m warp 12x2: start@0 start/cycles elapsed@8 elapsed (0 1 -1)" },
  { "text-condition", "area level cap record offset type field\nm thread 1 8 0 u64 x (conditional)\n",
    "m thread 8x1: x@0 value (-1 -1 -1)" },
  { "text-branches",
    "area level cap record offset type field\nm thread 1 8 0 u64 x (conditional)\nm thread 1 8 0 u64 y (conditional)\n",
    "m thread 8x1: w0@0 value (-1 -1 -1)" },
  { "toml-condition", "[m]\ndatamodel = \"thread:8\"\nafter = \"@%np0 SAVE.u64 {%x};\"\n",
    "m thread 8x1: x@0 value (-1 -1 -1)" },

  { "dotted", "[map]\nm.level = \"warp\"\nm.size = 8\nm.regs.x = \"u64\"\nm.since = 1979-05-27\n",
    "m warp 8x1: x@0 value (-1 -1 -1)" },

  { "no-map", "regs = 4\n", "line 1: no map: neither [map.NAME] nor a section with datamodel" },
  { "size", "[map.m]\nlevel = \"warp\"\nsize = 6\n", "line 3: map 'm': size is not a multiple of 4 from 4 to 512" },
  { "level", "[map.m]\nlevel = \"block\"\n", "line 2: map 'm': level is neither \"thread\" nor \"warp\"" },
  { "type", REGS ("x = [\"f32\"]\n"), "line 6: map 'm': field 'x' is neither u64 nor u32" },
  { "twice", REGS ("x = \"u64\"\nx = \"u64\"\n"), "line 7: map 'm': field 'x' is there twice" },
  { "cap", "[map.m]\ncap = 0\n", "line 2: map 'm': cap is neither a count nor \"dynamic\"" },
  { "toml", "[map.m\n", "line 1: ']' is missing after the name of a table" },
  { "list", "a = [1 2]\n", "line 1: ',' or the end of a list is missing" },
};

static void
test_layout (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (TtNeutrinoLayout) layout = tt_neutrino_layout_parse ("p", test->toml, strlen (test->toml), &error);
  g_autofree char *found = layout != NULL ? describe (layout) : g_strdup (error->message + strlen ("p: "));

  g_assert_cmpstr (found, ==, test->wanted);
}

/* What the reference compiler's examples give for each target tells the same record. */
static void
test_examples (void)
{
  static const struct
  {
    const char *name, *wanted;
  } examples[] = {
    { "cur_block_sched.ptx",
      "block_sched warp 16x1: start@0 start/cycles elapsed@8 elapsed/cycles cuid@12 unit (0 1 2)" },
    { "cur_block_sched.gfx90a",
      "block_sched warp 16x1: start@0 start/cycles elapsed@8 elapsed/cycles cuid@12 unit (0 1 2)" },
    { "seed_block_sched.ptx", "block_sched warp 16x1: gstart@0 start/ns elapsed@8 elapsed/ns smid@12 unit (0 1 2)" },
    { "seed_block_sched.gfx942",
      "block_sched warp 16x1: gstart@0 start/10ns elapsed@8 elapsed/10ns smid@12 unit (0 1 2)" },
    { "cur_if.ptx", "Slow warp 16x4: at@0 start/cycles took@8 elapsed/cycles cuid@12 unit (0 1 2)" },
    { "cur_if.gfx942", "Slow warp 16x4: at@0 start/cycles took@8 elapsed/cycles cuid@12 unit (0 1 2)" },
    { "if_else.ptx", "finish thread 8x1: slow@0 value fast@4 value (-1 -1 -1)" },
  };
  const char *shared = g_getenv ("SHARED_DATA");

  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *file = g_strconcat (examples[i].name, ".toml", NULL);
      g_autofree char *path = g_build_filename (shared != NULL ? shared : "/", "neutrino", "examples", file, NULL);
      g_autoptr (GError) error = NULL;

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        {
          g_test_skip ("the examples of the reference are not here");
          return;
        }
      g_autoptr (TtNeutrinoLayout) layout = tt_neutrino_layout_load (path, &error);
      g_assert_no_error (error);
      g_autofree char *found = describe (layout);
      g_assert_cmpstr (found, ==, examples[i].wanted);
    }
}

/* -- lanes ---------------------------------------------------------------------------------------------------------- */

#define N_SPANS 400

typedef struct
{
  gint64 ts_ns, end_ns;
  guint32 lane;
} Span;

static int
by_begin (gconstpointer a, gconstpointer b)
{
  const Span *x = a, *y = b;

  return (x->ts_ns > y->ts_ns) - (x->ts_ns < y->ts_ns);
}

/* As many lanes as ever run at once, no two spans of a lane at the same time; and a second file in between. */
static void
test_lanes (void)
{
  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (NULL));
      g_autoptr (TtNeutrinoLanes) lanes = tt_neutrino_lanes_new (sink, 1);
      TtNeutrinoTrack *track = tt_neutrino_lanes_track (lanes, "SM 0", 0);
      Span spans[2 * N_SPANS];
      gint64 most_ns = g_test_rand_int_range (1, 2000);
      guint32 first = tt_neutrino_track_thread (track), n_lanes = 0, n_at_once = 0;

      for (guint i = 0; i < 2 * N_SPANS; i++)
        {
          spans[i].ts_ns = g_test_rand_int_range (0, 1000);
          spans[i].end_ns = spans[i].ts_ns + g_test_rand_int_range (0, (gint32) most_ns);
        }
      qsort (spans, N_SPANS, sizeof (Span), by_begin);
      qsort (spans + N_SPANS, N_SPANS, sizeof (Span), by_begin);
      for (guint i = 0; i < 2 * N_SPANS; i++)
        {
          gboolean crosses;
          if (i == N_SPANS)
            tt_neutrino_lanes_restart (lanes);
          spans[i].lane = tt_neutrino_track_place (track, spans[i].ts_ns, spans[i].end_ns, &crosses) - first;
          g_assert_false (crosses);
          if (i < N_SPANS)
            n_lanes = MAX (n_lanes, spans[i].lane + 1);
        }
      for (guint i = 0; i < 2 * N_SPANS; i++)
        {
          guint n = 0;
          for (guint k = 0; k < 2 * N_SPANS; k++)
            {
              gboolean is_together = spans[k].ts_ns <= spans[i].ts_ns && spans[k].end_ns > spans[i].ts_ns;
              n += i < N_SPANS && k < N_SPANS && is_together && spans[i].end_ns > spans[i].ts_ns;
              if (k != i && spans[i].lane == spans[k].lane && spans[k].ts_ns < spans[i].ts_ns)
                g_assert_false (is_together);
            }
          n_at_once = MAX (n_at_once, n);
        }
      /* Spans of no length take a lane, too. */
      g_assert_cmpuint (n_lanes, >=, n_at_once);
      g_assert_cmpuint (n_lanes, <=, n_at_once + 1);
    }
}

static void
test_many_lanes (void)
{
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (NULL));
  g_autoptr (TtNeutrinoLanes) lanes = tt_neutrino_lanes_new (sink, 1);
  TtNeutrinoTrack *track = tt_neutrino_lanes_track (lanes, "SM 0", 0);
  gboolean crosses;

  for (guint i = 0; i < TT_NEUTRINO_MAX_LANES; i++)
    {
      tt_neutrino_track_place (track, i, 1000000, &crosses);
      g_assert_false (crosses);
    }
  tt_neutrino_track_place (track, 999999, 1000001, &crosses);
  g_assert_true (crosses);
  g_assert_cmpuint (tt_neutrino_track_place (track, 1000000, 1000001, &crosses), ==, tt_neutrino_track_thread (track));
  g_assert_false (crosses);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/neutrino/layout/", cases[i].name, NULL);
      g_test_add_data_func (path, &cases[i], test_layout);
    }
  g_test_add_func ("/neutrino/layout/examples", test_examples);
  g_test_add_func ("/neutrino/lanes", test_lanes);
  g_test_add_func ("/neutrino/lanes/most", test_many_lanes);
  return g_test_run ();
}
