/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/decode.h"
#include "formats/neutrino-trace/rows.h"
#include "tests/fuzz/memory-file.h"

#include <string.h>

/* The first byte chooses layout and options, the rest is a result file. */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

#define MAP(name, level, size, cap, regs) \
  "[map." name "]\nlevel = \"" level "\"\nsize = " size "\ncap = " cap "\n[map." name ".regs]\n" regs

static const char *const layouts[] = {
  NULL,
  MAP ("a", "warp", "16", "1", "start = [\"u64\"]\nelapsed = [\"u32\"]\ncuid = [\"u32\"]\n"),
  MAP ("a", "warp", "16", "1", "start = [\"u64\"]\nelapsed = [\"u32\"]\ncuid = [\"u32\"]\n")
      MAP ("b", "thread", "8", "1", "x = [\"u32\"]\ny = [\"u32\"]\n"),
  MAP ("a", "thread", "24", "2", "gstart = [\"u64\"]\ngend = [\"u64\"]\nn = [\"u64\"]\n"),
  MAP ("a", "thread", "12", "\"dynamic\"", "v = [\"u64\"]\nw = [\"u32\"]\n"),
};

static gboolean
wants_all (const TtNeutrinoArea *area, gpointer data)
{
  return TRUE;
}

/* Records are those that the file holds, in order. */
static gboolean
look (const TtNeutrinoArea *area, const TtNeutrinoRecords *records, gpointer data, GError **error)
{
  guint64 *sum = data;

  g_assert (records->n > 0 && records->n <= TT_NEUTRINO_COLUMN);
  for (guint i = 0; i < records->n; i++)
    {
      g_assert (records->index[i] < area->n_units * area->slots &&
                (i == 0 || records->index[i] > records->index[i - 1]));
      TtNeutrinoPlace place = tt_neutrino_area_place (area, records->index[i] / area->slots);
      g_assert (place.block < area->n_blocks && place.unit < area->units);
      for (guint k = 0; k < area->map->fields->len; k++)
        *sum += records->field[k][i];
    }
  return TRUE;
}

static void
use_areas (const char *path, const TtNeutrinoAreas *areas, const TtImportOptions *options)
{
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (NULL));
  g_autoptr (TtInput) input = tt_input_open (path, NULL);
  g_auto (TtNeutrinoDevice) device = { 0 };
  g_autoptr (GError) error = NULL;
  const TtNeutrinoResult result = {
    .path = path, .areas = areas, .kernel = "k", .launch_ns = TT_NO_TIME, .kernel_ns = TT_NO_TIME
  };
  guint64 sum = 0;

  g_assert (tt_neutrino_decode (input, areas, wants_all, look, &sum, NULL));
  tt_neutrino_device_init (&device, sink, options, "1");
  g_assert (tt_neutrino_rows (&device, &result, &error) == (error == NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  if (len < 1)
    return 0;
  const TtImportOptions options = { .rank = -1, .salvage = (bytes[0] & 64) != 0, .strict = (bytes[0] & 128) != 0 };
  const char *text = layouts[(bytes[0] & 63) % G_N_ELEMENTS (layouts)];
  g_autoptr (TtNeutrinoLayout) layout =
      text == NULL ? NULL : tt_neutrino_layout_parse ("fuzz", text, strlen (text), NULL);
  g_autoptr (GError) error = NULL;

  g_assert ((text == NULL) == (layout == NULL));
  bytes++;
  len--;
  const char *path = fuzz_memory_file (0, bytes, len);
  tt_neutrino_areas_probe (bytes, len, len);
  const TtNeutrinoHead head = { path, bytes, MIN (len, TT_NEUTRINO_MAX_HEADER), len };
  g_autoptr (TtNeutrinoAreas) areas = tt_neutrino_areas_read (&head, layout, options.salvage, &error);
  g_assert ((areas == NULL) == (error != NULL));
  /* What looks packed is not what the header was read from. */
  g_autoptr (TtInput) input = areas == NULL ? NULL : tt_input_open (path, NULL);
  if (input != NULL && !tt_input_is_compressed (input) && tt_neutrino_find_strides (input, areas, NULL))
    use_areas (path, areas, &options);
  return 0;
}
