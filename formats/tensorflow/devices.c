/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tensorflow/devices.h"

#include <string.h>

static const char *
find_any_case (const char *text, const char *part)
{
  gsize len = strlen (part);

  for (; *text != '\0'; text++)
    if (g_ascii_strncasecmp (text, part, len) == 0)
      return text;
  return NULL;
}

/* "/device:GPU:0" and "/gpu:0" are one device. */
static char *
device_name (const char *process, gsize len)
{
  g_autofree char *lower = g_ascii_strdown (process, (gssize) len);
  char *word = strstr (lower, "device:");
  GString *name = g_string_new (NULL);

  if (word != NULL)
    {
      g_string_append_len (name, lower, (gssize) (word - lower));
      g_string_append (name, word + strlen ("device:"));
    }
  else
    g_string_append (name, lower);
  if (name->len > 0 && name->str[0] == '/')
    g_string_erase (name, 0, 1);
  return g_string_free (name, FALSE);
}

static TtTfLaneKind
profiler_kind (const char *thread)
{
  if (thread == NULL)
    return TT_TF_LANE_KERNELS;
  if (strstr (thread, "TensorFlow Ops") != NULL)
    return TT_TF_LANE_OPS;
  if (find_any_case (thread, "memcpy") != NULL || find_any_case (thread, "memset") != NULL)
    return find_any_case (thread, "compute") != NULL ? TT_TF_LANE_KERNELS : TT_TF_LANE_COPIES;
  return TT_TF_LANE_KERNELS;
}

TtTfLaneKind
tt_tf_lane_kind (const char *process, const char *thread, char **device)
{
  const char *compute = strstr (process, " Compute");
  const char *gpu = find_any_case (process, "gpu:");
  const char *stream = strstr (process, "/stream:");
  const char *memcpy_at = strstr (process, "/memcpy");

  *device = NULL;
  if (gpu != NULL && compute != NULL && stream != NULL)
    {
      *device = device_name (process, (gsize) (stream - process));
      return g_str_has_prefix (stream, "/stream:all") ? TT_TF_LANE_ALL : TT_TF_LANE_STREAM;
    }
  if (gpu != NULL && compute != NULL && memcpy_at != NULL)
    {
      *device = device_name (process, (gsize) (memcpy_at - process));
      return TT_TF_LANE_MEMCPY;
    }
  if (compute != NULL && (gpu != NULL || find_any_case (process, "cpu:") != NULL))
    {
      *device = device_name (process, (gsize) (compute - process));
      return gpu != NULL ? TT_TF_LANE_LAUNCH : TT_TF_LANE_CPU;
    }
  if (strstr (process, "/device:GPU") != NULL && strstr (process, " Tensors") == NULL)
    {
      *device = device_name (process, strlen (process));
      return profiler_kind (thread);
    }
  return g_str_has_prefix (process, "/host:") ? TT_TF_LANE_HOST : TT_TF_LANE_OTHER;
}

const char *
tt_tf_copy_kind (const char *text)
{
  static const struct
  {
    const char *mark, *sub_op;
  } kinds[] = {
    { "HtoD", "H2D" }, { "DtoH", "D2H" }, { "DtoD", "D2D" }, { "HtoH", "H2H" }, { "H2D", "H2D" },
    { "D2H", "D2H" },  { "D2D", "D2D" },  { "PtoP", "D2D" }, { "P2P", "D2D" },  { "memset", "SET" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (find_any_case (text, kinds[i].mark) != NULL)
      return kinds[i].sub_op;
  return NULL;
}
