/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen-neutrino: a Neutrino run of one launch with as many records as wanted.
 *
 *   gen-neutrino [--records N] [--map sched|bytes|slots] DIRECTORY
 *
 * sched: start, elapsed and SM of each warp, blocks on 132 SMs, 16 bytes a record. bytes: two counts of each thread, 8
 * bytes. slots: up to four of 16 bytes for each thread, the rest zeros. Prints how many records an importer finds.
 */
#include "config.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#define N_UNITS 132u
#define BLOCK 256u
#define SLOTS 4u

typedef struct
{
  const char *name, *level, *fields;
  guint threads_per_unit, bytes, cap;
} Map;

static const Map maps[] = {
  { "sched", "warp", "start = [\"u64\", \"None\"]\nelapsed = [\"u32\", \"None\"]\ncuid = [\"u32\", \"None\"]\n", 32, 16,
    1 },
  { "bytes", "thread", "sync_bytes = [\"u32\", \"None\"]\nasync_bytes = [\"u32\", \"None\"]\n", 1, 8, 1 },
  { "slots", "thread", "start = [\"u64\", \"None\"]\nelapsed = [\"u32\", \"None\"]\ncuid = [\"u32\", \"None\"]\n", 1,
    16, SLOTS },
};

static void
fail (const char *path)
{
  perror (path);
  exit (1);
}

static void
write_text (const char *directory, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  if (!g_file_set_contents (path, text, -1, NULL))
    fail (path);
}

static guint64
mix (guint64 k)
{
  return k * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 40;
}

/* Record of slot @slot of unit @unit; returns 0 where it stays empty. */
static guint
fill (guint8 *bytes, const Map *map, guint64 unit, guint slot)
{
  guint64 block = unit * map->threads_per_unit / BLOCK, start = 1000000 + block / N_UNITS * 5000 + mix (unit) % 900;
  guint32 words[] = { (guint32) mix (unit) % 4096, (guint32) (mix (unit) >> 12) % 4096 };
  guint32 pair[] = { 2000 + (guint32) (mix (unit + 7) % 2000), (guint32) (block % N_UNITS) };

  memset (bytes, 0, map->bytes);
  if (map->bytes == 8)
    {
      memcpy (bytes, words, sizeof words);
      return 1;
    }
  if (slot > 0 && slot >= mix (unit) % (SLOTS + 1))
    return 0;
  start += 100 * slot;
  memcpy (bytes, &start, sizeof start);
  memcpy (bytes + 8, pair, sizeof pair);
  return 1;
}

static guint64
write_result (const char *path, const Map *map, guint64 n_blocks)
{
  FILE *file = fopen (path, "wb");
  guint32 header[] = {
    (guint32) n_blocks, 1, 1, BLOCK, 1, 1, 0, 1, map->bytes * map->cap, map->threads_per_unit, 48, 0
  };
  guint8 bytes[16 * SLOTS];
  guint64 n_units = n_blocks * BLOCK / map->threads_per_unit, n_records = 0;

  if (file == NULL || fwrite (header, sizeof header, 1, file) != 1)
    fail (path);
  for (guint64 unit = 0; unit < n_units; unit++)
    {
      for (guint slot = 0; slot < map->cap; slot++)
        n_records += fill (bytes + slot * map->bytes, map, unit, slot);
      if (fwrite (bytes, (gsize) map->bytes * map->cap, 1, file) != 1)
        fail (path);
    }
  if (fclose (file) != 0)
    fail (path);
  return n_records;
}

int
main (int argc, char **argv)
{
  gint64 records = 1000000;
  const Map *map = &maps[0];
  const char *directory = argc > 1 ? argv[argc - 1] : NULL;

  for (int i = 1; i + 2 < argc; i += 2)
    if (g_str_equal (argv[i], "--records"))
      records = g_ascii_strtoll (argv[i + 1], NULL, 10);
    else if (g_str_equal (argv[i], "--map"))
      for (guint k = 0; k < G_N_ELEMENTS (maps); k++)
        if (g_str_equal (maps[k].name, argv[i + 1]))
          map = &maps[k];
  if (directory == NULL || argc % 2 != 0)
    {
      fprintf (stderr, "usage: gen-neutrino [--records N] [--map sched|bytes|slots] DIRECTORY\n");
      return 2;
    }

  g_autofree char *result = g_build_filename (directory, "result", NULL);
  g_autofree char *path = g_build_filename (result, "1.000000.bin", NULL);
  guint64 n_blocks = MAX (1, (guint64) records / map->cap * map->threads_per_unit / BLOCK);
  if (g_mkdir_with_parents (result, 0777) != 0)
    fail (result);
  guint64 n_records = write_result (path, map, n_blocks);
  g_autofree char *toml =
      g_strdup_printf ("[map.%s]\nlevel = \"%s\"\ntype = \"array\"\nsize = %u\ncap = %u\n[map.%s.regs]\n%s", map->name,
                       map->level, map->bytes, map->cap, map->name, map->fields);
  g_autofree char *log = g_strdup_printf ("[init] pid 1\n[mod] cuModuleGetFunction func 0x1 mod 0x2 name _Z5bench\n"
                                          "[exec] funcmap-find 0x1 success\n[exec] 1752574272000000000 param 0\n"
                                          "[exec] grid %" G_GUINT64_FORMAT " 1 1 block %u 1 1 shared 0\n"
                                          "[exec] succeed 0\n[exec] save %s size 0\n"
                                          "[exec] prologue 0.100000 kernel 5.000000 epilogue 1.000000 ratio 1.2\n",
                                          n_blocks, BLOCK, path);
  write_text (directory, "probe.toml", toml);
  write_text (directory, "event.log", log);
  printf ("%" G_GUINT64_FORMAT "\n", n_records);
  return 0;
}
