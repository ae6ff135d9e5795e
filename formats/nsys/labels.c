/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nsys/labels.h"

#include "formats/nsys/lanes.h"
#include "formats/nsys/names.h"

#include <string.h>

typedef gboolean (*TakeFunc) (TtNsys *self, TtRows *rows, gpointer data, GError **error);

static gboolean
each_row (TtNsys *self, const char *table, const char *const *columns, TakeFunc take, gpointer data, GError **error)
{
  GError *local = NULL;
  g_autoptr (TtRows) rows = tt_tables_rows (self->tables, table, columns, NULL, &local);

  while (rows != NULL && tt_nsys_next (self, rows, &local) && take (self, rows, data, &local))
    ;
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

static char *
valid_text (TtRows *rows, int column)
{
  const char *text = tt_rows_text (rows, column, NULL);

  return text == NULL || *text == '\0' ? NULL : g_utf8_make_valid (text, -1);
}

/* -- programs and threads -------------------------------------------------------------------------------------- */

static gboolean
take_program (TtNsys *self, TtRows *rows, gpointer data, GError **error)
{
  g_autofree char *label = valid_text (rows, 1);
  gint64 global_pid;

  (void) data;
  (void) error;
  if (label == NULL || !tt_rows_int (rows, 0, &global_pid))
    return TRUE;
  guint32 process = tt_nsys_find_program (self, global_pid);
  if (process == TT_NO_ID)
    return TRUE;
  g_autofree char *pid = g_strdup_printf ("%" G_GINT64_FORMAT, global_pid >> 24 & 0xffffff);
  tt_sink_label_process (self->sink, process, label, -1);
  tt_sink_metadata (self->sink, process, TT_NO_ID, "pid", pid);
  return TRUE;
}

static gboolean
take_thread (TtNsys *self, TtRows *rows, gpointer data, GError **error)
{
  gint64 global_tid, id;

  (void) data;
  if (!tt_rows_int (rows, 0, &global_tid) || !tt_rows_int (rows, 1, &id))
    return TRUE;
  guint32 thread = tt_nsys_find_thread (self, global_tid);
  if (thread == TT_NO_ID)
    return TRUE;
  GError *local = NULL;
  const char *text = tt_nsys_string (self, id, &local);
  if (text != NULL && *text != '\0')
    {
      g_autofree char *label = g_utf8_make_valid (text, -1);
      tt_sink_label_thread (self->sink, thread, label, -1);
    }
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

/* -- devices and streams --------------------------------------------------------------------------------------- */

/* More GPUs than a machine has. */
#define MOST_GPUS 256

static gboolean
take_gpu (TtNsys *self, TtRows *rows, gpointer data, GError **error)
{
  char **names = data;
  gint64 id;

  (void) self;
  (void) error;
  if (tt_rows_int (rows, 0, &id) && id >= 0 && id < MOST_GPUS && names[id] == NULL)
    names[id] = valid_text (rows, 1);
  return TRUE;
}

/* What CUDA calls device 0 in a program may be any GPU. */
static gboolean
take_device (TtNsys *self, TtRows *rows, gpointer data, GError **error)
{
  char **names = data;
  gint64 gpu, device, pid;

  (void) error;
  if (!tt_rows_int (rows, 0, &gpu) || !tt_rows_int (rows, 1, &device) || !tt_rows_int (rows, 2, &pid))
    return TRUE;
  guint32 process = tt_nsys_find_device (self, tt_nsys_global_pid (self, pid), device);
  const char *name = gpu >= 0 && gpu < MOST_GPUS ? names[gpu] : NULL;
  if (process == TT_NO_ID)
    return TRUE;
  g_autofree char *label = g_strdup_printf ("GPU %" G_GINT64_FORMAT "%s%s%s", gpu, name == NULL ? "" : " (",
                                            name == NULL ? "" : name, name == NULL ? "" : ")");
  tt_sink_label_process (self->sink, process, label, -1);
  return TRUE;
}

static gboolean
take_stream (TtNsys *self, TtRows *rows, gpointer data, GError **error)
{
  g_autofree char *name = valid_text (rows, 0);
  gint64 ids[4];

  (void) data;
  (void) error;
  for (int i = 0; i < 4; i++)
    if (!tt_rows_int (rows, i + 1, &ids[i]))
      return TRUE;
  guint32 thread = tt_nsys_find_stream (self, tt_nsys_global_pid (self, ids[0]), ids[1], ids[2], ids[3]);
  if (thread == TT_NO_ID)
    return TRUE;
  g_autofree char *label =
      g_strdup_printf ("stream %" G_GINT64_FORMAT " (%s)", ids[3], name == NULL ? "default" : name);
  tt_sink_label_thread (self->sink, thread, label, -1);
  return TRUE;
}

static gboolean
read_devices (TtNsys *self, GError **error)
{
  static const char *const gpu[] = { "id", "name", NULL };
  static const char *const device[] = { "gpuId", "cudaId", "pid", NULL };
  static const char *const context[] = { "none", "processId", "deviceId", "contextId", "nullStreamId", NULL };
  static const char *const stream[] = { "name", "processId", "deviceId", "contextId", "streamId", NULL };
  char *names[MOST_GPUS] = { NULL };
  gboolean is_done = each_row (self, "TARGET_INFO_GPU", gpu, take_gpu, names, error) &&
                     each_row (self, "TARGET_INFO_CUDA_DEVICE", device, take_device, names, error) &&
                     each_row (self, "TARGET_INFO_CUDA_CONTEXT_INFO", context, take_stream, NULL, error) &&
                     each_row (self, "TARGET_INFO_NVTX_CUDA_STREAM", stream, take_stream, NULL, error);

  for (guint i = 0; i < MOST_GPUS; i++)
    g_free (names[i]);
  return is_done;
}

/* -- the export itself ------------------------------------------------------------------------------------------ */

/* Metadata of the first process of the source: what wrote the file, and of which machine it tells. Only these: exports
 * also have the whole environment of the program, with what is secret in it. */
static const char *const facts[] = { "EXPORT_PRODUCT_NAME", "EXPORT_PRODUCT_VERSION", "EXPORT_SCHEMA_VERSION",
                                     "Hostname", "OsDescription", "CpuDescription", "CpuCores", "HardwarePlatform",
                                     "CudaDriverVersion", "NvDriverVersion", NULL };

static gboolean
take_fact (TtNsys *self, TtRows *rows, gpointer data, GError **error)
{
  const char *key = tt_rows_text (rows, 0, NULL);
  g_autofree char *value = valid_text (rows, 1);

  (void) data;
  (void) error;
  if (key == NULL || value == NULL || !g_strv_contains (facts, key) || strlen (value) > 1024 ||
      self->sink->next_process == self->sink->source_first_process)
    return TRUE;
  tt_sink_metadata (self->sink, self->sink->source_first_process, TT_NO_ID, key, value);
  return TRUE;
}

gboolean
tt_nsys_read_labels (TtNsys *self, GError **error)
{
  static const char *const program[] = { "globalPid", "name", NULL };
  static const char *const thread[] = { "globalTid", "nameId", NULL };
  static const char *const fact[] = { "name", "value", NULL };

  return each_row (self, "PROCESSES", program, take_program, NULL, error) &&
         each_row (self, "ThreadNames", thread, take_thread, NULL, error) && read_devices (self, error) &&
         each_row (self, "META_DATA_EXPORT", fact, take_fact, NULL, error) &&
         each_row (self, "TARGET_INFO_SYSTEM_ENV", fact, take_fact, NULL, error);
}
