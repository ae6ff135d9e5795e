/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench-neutrino: decodes a Neutrino result file into columns, and adds them up.
 *
 *   bench-neutrino PROBE.TOML FILE
 *
 * Prints MB/s of the time of this process.
 */
#include "config.h"

#include "formats/neutrino-trace/decode.h"

#include <stdio.h>
#include <time.h>

typedef struct
{
  guint64 n, sum;
} Found;

static gboolean
wants_all (const TtNeutrinoArea *area, gpointer data)
{
  return TRUE;
}

static gboolean
add_up (const TtNeutrinoArea *area, const TtNeutrinoRecords *records, gpointer data, GError **error)
{
  Found *found = data;

  found->n += records->n;
  for (guint k = 0; k < area->map->fields->len; k++)
    for (guint i = 0; i < records->n; i++)
      found->sum += records->field[k][i];
  return TRUE;
}

static gboolean
decode (const char *probe, const char *path, Found *found, GError **error)
{
  g_autoptr (TtNeutrinoLayout) layout = tt_neutrino_layout_load (probe, error);
  g_autoptr (TtInput) head_input = layout == NULL ? NULL : tt_input_open (path, error);
  guint8 head[TT_NEUTRINO_MAX_HEADER];

  if (head_input == NULL)
    return FALSE;
  gssize n = tt_input_read (head_input, head, sizeof head, error);
  const TtNeutrinoHead header = { path, head, (gsize) MAX (n, 0), tt_input_disk_bytes (head_input) };
  g_autoptr (TtNeutrinoAreas) areas = n < 0 ? NULL : tt_neutrino_areas_read (&header, layout, FALSE, error);
  g_autoptr (TtInput) input = areas == NULL ? NULL : tt_input_open (path, error);
  return input != NULL && tt_neutrino_decode (input, areas, wants_all, add_up, found, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  Found found = { 0 };
  clock_t start = clock ();

  if (argc != 3)
    {
      fprintf (stderr, "usage: bench-neutrino PROBE.TOML FILE\n");
      return 2;
    }
  if (!decode (argv[1], argv[2], &found, &error))
    {
      fprintf (stderr, "bench-neutrino: %s\n", error->message);
      return 1;
    }
  double seconds = (double) (clock () - start) / CLOCKS_PER_SEC;
  g_autoptr (TtInput) input = tt_input_open (argv[2], NULL);
  printf ("%" G_GUINT64_FORMAT " records\t%.0f MB/s\tsum %" G_GINT64_MODIFIER "x\n", found.n,
          (double) tt_input_disk_bytes (input) / 1e6 / (seconds > 0 ? seconds : 1e-6), found.sum);
  return 0;
}
