/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/records.h"

#include "src/base/error.h"
#include "src/base/output.h"
#include "src/gpu/weave/gcn-weave.h"
#include "src/gpu/weave/weave.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* When a launch begins; src/gpu/run/values.c shows the same time to kernels. */
#define START_NS "1700000000000000000"

typedef struct
{
  guint64 unit_bytes, n_units, units; /* units: of a block */
  const guint8 *data, *counts;
} Memory;

struct _TtGpuRecords
{
  TtGpuRecordsInfo info;
  Memory *memories;
};

static guint64
u64_at (const guint8 *bytes)
{
  guint64 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT64_FROM_LE (value);
}

static void
put_u64 (guint8 *bytes, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (bytes, &value, sizeof value);
}

static void
put_u32 (guint8 *bytes, guint32 value)
{
  value = GUINT32_TO_LE (value);
  memcpy (bytes, &value, sizeof value);
}

static gboolean
allocate (TtGpuRecords *self, const TtGpuReceiver *launch, guint i, guint8 *entry, GError **error)
{
  const TtGpuMap *map = tt_gpu_probe_map (self->info.probe, i);
  Memory *memory = &self->memories[i];
  guint64 threads = (guint64) self->info.block[0] * self->info.block[1] * self->info.block[2], bytes, address, counts;
  guint64 cap = map->cap > 0 ? map->cap : self->info.caps != NULL ? self->info.caps[i] : 0;

  memory->units = map->is_warp ? (threads + self->info.warp - 1) / self->info.warp : threads;
  memory->n_units = memory->units * self->info.grid[0] * self->info.grid[1] * self->info.grid[2];
  if (__builtin_mul_overflow (map->record_bytes, cap, &memory->unit_bytes) || memory->unit_bytes > G_MAXUINT32 ||
      __builtin_mul_overflow (memory->unit_bytes, memory->n_units, &bytes))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "map '%s': its records do not fit in memory", map->name);
      return FALSE;
    }
  memory->data = launch->allocate (launch->launch, map->name, bytes, &address, error);
  memory->counts =
      memory->data == NULL ? NULL : launch->allocate (launch->launch, map->name, 8 * memory->n_units, &counts, error);
  if (memory->counts == NULL)
    return FALSE;
  put_u64 (entry, address);
  put_u64 (entry + 8, memory->unit_bytes);
  put_u64 (entry + 16, counts);
  return TRUE;
}

TtGpuRecords *
tt_gpu_records_new (const TtGpuReceiver *launch, const TtGpuRecordsInfo *info, GError **error)
{
  g_autoptr (TtGpuRecords) self = g_new0 (TtGpuRecords, 1);
  guint n = info->probe->maps->len;
  guint64 address, little;
  guint8 *table;

  self->info = *info;
  self->memories = g_new0 (Memory, MAX (n, 1));
  table = launch->allocate (launch->launch, "maps", MAX (n, 1) * TT_GPU_TABLE_ENTRY + TT_GPU_GCN_TABLE_TAIL, &address,
                            error);
  if (table == NULL)
    return NULL;
  for (guint i = 0; i < n; i++)
    if (!allocate (self, launch, i, table + i * TT_GPU_TABLE_ENTRY, error))
      return NULL;
  for (guint i = 0; i < 6 && info->is_amd; i++)
    put_u32 (table + n * TT_GPU_TABLE_ENTRY + 4 * i, i < 3 ? info->grid[i] : info->block[i - 3]);
  little = GUINT64_TO_LE (address);
  if (!launch->set_param (launch->launch, info->n_params - 1, &little, sizeof little, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_gpu_records_free (TtGpuRecords *self)
{
  if (self == NULL)
    return;
  g_free (self->memories);
  g_free (self);
}

guint64
tt_gpu_records_most (const TtGpuRecords *self, guint map)
{
  guint64 most = 0;

  for (guint64 i = 0; i < self->memories[map].n_units; i++)
    most = MAX (most, u64_at (self->memories[map].counts + 8 * i));
  return most / MAX (tt_gpu_probe_map (self->info.probe, map)->record_bytes, 1);
}

guint64
tt_gpu_records_lost (const TtGpuRecords *self, guint map)
{
  guint64 lost = 0;

  for (guint64 i = 0; i < self->memories[map].n_units; i++)
    {
      guint64 wanted = u64_at (self->memories[map].counts + 8 * i);
      lost += wanted > self->memories[map].unit_bytes ? wanted - self->memories[map].unit_bytes : 0;
    }
  return lost / MAX (tt_gpu_probe_map (self->info.probe, map)->record_bytes, 1);
}

/* -- files ------------------------------------------------------------------------------------------- */

static void
put_word (TtOutput *output, guint64 value, guint bytes)
{
  value = GUINT64_TO_LE (value);
  tt_output_bytes (output, (const char *) &value, bytes);
}

static guint64
area_offset (const TtGpuRecords *self, guint map)
{
  guint64 offset = 32 + 16 * (guint64) self->info.probe->maps->len;

  for (guint i = 0; i < map; i++)
    offset += self->memories[i].unit_bytes * self->memories[i].n_units;
  return offset;
}

static gboolean
write_result (const TtGpuRecords *self, const char *path, GError **error)
{
  g_autoptr (TtOutput) output = tt_output_open (path, error);
  guint n = self->info.probe->maps->len;

  if (output == NULL)
    return FALSE;
  for (guint i = 0; i < 6; i++)
    put_word (output, i < 3 ? self->info.grid[i] : self->info.block[i - 3], 4);
  put_word (output, self->info.shared_bytes, 4);
  put_word (output, n, 4);
  for (guint i = 0; i < n; i++)
    {
      put_word (output, self->memories[i].unit_bytes, 4);
      put_word (output, tt_gpu_probe_map (self->info.probe, i)->is_warp ? self->info.warp : 1, 4);
      put_word (output, area_offset (self, i), 8);
    }
  for (guint i = 0; i < n; i++)
    {
      guint64 bytes = self->memories[i].unit_bytes * self->memories[i].n_units;
      for (guint64 at = 0; at < bytes; at += 65536)
        tt_output_bytes (output, (const char *) self->memories[i].data + at, (gsize) MIN (bytes - at, 65536));
    }
  return tt_output_close (output, error);
}

static char *
describe_log (const TtGpuRecords *self, const char *name, const char *result, guint64 steps)
{
  g_autoptr (GString) log = g_string_new (NULL);
  const TtGpuRecordsInfo *info = &self->info;
  guint64 n_blocks = (guint64) info->grid[0] * info->grid[1] * info->grid[2], total = 0;
  guint n_threads = info->block[0] * info->block[1] * info->block[2];

  g_string_append_printf (log, "[init] pid 1\n[init] cmd 19 tracetool probe run\n[init] success\n");
  g_string_append_printf (
      log, "[mod] cuModuleGetFunction func 0x1 mod 0x2 name %s\n[probe] find 0x1 name %s bin 0x3 size 0\n",
      info->kernel, info->kernel);
  g_string_append_printf (log, "[probe] rename %s %s\n[probe] python succeed\n[probe] finish 0x1 name %s n_param %u\n",
                          info->kernel, name, info->kernel, info->n_params - 1);
  g_string_append_printf (log, "[exec] funcmap-find 0x1 success\n[exec] " START_NS " param 0 \n");
  g_string_append_printf (log, "[exec] grid %u %u %u block %u %u %u shared %" G_GUINT64_FORMAT "\n", info->grid[0],
                          info->grid[1], info->grid[2], info->block[0], info->block[1], info->block[2],
                          info->shared_bytes);
  for (guint i = 0; i < info->probe->maps->len; i++)
    {
      const Memory *memory = &self->memories[i];
      guint64 bytes = memory->unit_bytes * memory->n_units;

      if (tt_gpu_probe_map (info->probe, i)->is_warp)
        g_string_append_printf (log, "[exec] grid %" G_GUINT64_FORMAT " warp  %" G_GUINT64_FORMAT, n_blocks,
                                memory->units);
      else
        g_string_append_printf (log, "[exec] grid %" G_GUINT64_FORMAT " block %u", n_blocks, n_threads);
      g_string_append_printf (log, " probe %" G_GUINT64_FORMAT " total %" G_GUINT64_FORMAT "\n", memory->unit_bytes,
                              bytes);
      total += bytes;
    }
  g_string_append_printf (log, "[exec] probe-mem %" G_GUINT64_FORMAT " (bytes)\n[exec] succeed 0\n", total);
  g_string_append_printf (log, "[exec] save %s size %" G_GUINT64_FORMAT "\n", result,
                          area_offset (self, info->probe->maps->len));
  g_string_append_printf (log,
                          "[exec] prologue 0.000000 kernel %" G_GUINT64_FORMAT ".%06" G_GUINT64_FORMAT
                          " epilogue 0.000000 ratio 1.000000\n",
                          steps / 1000000, steps % 1000000);
  return g_string_free (g_steal_pointer (&log), FALSE);
}

static char *
describe_kernel (const TtGpuRecords *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "%s\n%u\n%u\n", self->info.kernel, self->info.n_params - 1,
                          self->info.probe->maps->len);
  for (guint i = 0; i < self->info.probe->maps->len; i++)
    {
      const TtGpuMap *map = tt_gpu_probe_map (self->info.probe, i);

      if (map->cap == 0)
        g_string_append_printf (text, "%d,-1\n", map->is_warp);
      else
        g_string_append_printf (text, "%d,%" G_GUINT64_FORMAT "\n", map->is_warp, self->memories[i].unit_bytes);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
write_text (const char *folder, const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return tt_output_print (path, text, -1, error);
}

static gboolean
make_folder (const char *path, GError **error)
{
  if (g_mkdir (path, 0777) == 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot make '%s': %s", path, g_strerror (errno));
  return FALSE;
}

gboolean
tt_gpu_records_write (const TtGpuRecords *self, const char *folder, const char *text, guint64 steps, GError **error)
{
  g_autofree char *results = g_build_filename (folder, "result", NULL),
                  *kernels = g_build_filename (folder, "kernel", NULL);
  g_autofree char *result = g_build_filename (results, "0.000000.bin", NULL);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA1, self->info.kernel, -1);
  g_autofree char *name = g_strdup_printf ("0_%s", sum), *kernel = g_build_filename (kernels, name, NULL);
  g_autofree char *log = describe_log (self, name, result, steps), *info = describe_kernel (self);

  return make_folder (folder, error) && make_folder (results, error) && make_folder (kernels, error) &&
         make_folder (kernel, error) && write_result (self, result, error) &&
         write_text (folder, "probe.toml", self->info.probe->toml, error) &&
         write_text (kernel, "kernel.info", info, error) &&
         write_text (kernel, self->info.is_amd ? "probed.asm" : "probed.ptx", text, error) &&
         write_text (folder, "event.log", log, error);
}
