/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/kineto.h"

#include <string.h>
#include <xxhash.h>

#include "src/trace/communicator.h"

/* Categories, those of PyTorch 1.8 to 1.11 with capitals. */
#define CATEGORY(text, kind)      \
  {                               \
    text, sizeof (text) - 1, kind \
  }
static const struct
{
  const char *category;
  gsize len;
  KinetoKind kind;
} categories[] = {
  CATEGORY ("cpu_op", KINETO_OPERATOR),
  CATEGORY ("kernel", KINETO_DEVICE),
  CATEGORY ("cuda_runtime", KINETO_CALL),
  CATEGORY ("python_function", KINETO_PYTHON),
  CATEGORY ("user_annotation", KINETO_ANNOTATION),
  CATEGORY ("gpu_memcpy", KINETO_DEVICE),
  CATEGORY ("gpu_memset", KINETO_DEVICE),
  CATEGORY ("cuda_driver", KINETO_CALL),
  CATEGORY ("cuda_sync", KINETO_DEVICE),
  CATEGORY ("cuda_event", KINETO_DEVICE),
  CATEGORY ("gpu_user_annotation", KINETO_DEVICE_ANNOTATION),
  CATEGORY ("hip_runtime", KINETO_CALL),
  CATEGORY ("hip_driver", KINETO_CALL),
  CATEGORY ("xpu_runtime", KINETO_CALL),
  CATEGORY ("xpu_driver", KINETO_CALL),
  CATEGORY ("xpu_sync", KINETO_DEVICE),
  CATEGORY ("mtia_runtime", KINETO_CALL),
  CATEGORY ("mtia_ccp_events", KINETO_DEVICE),
  CATEGORY ("mtia_insight", KINETO_DEVICE),
  CATEGORY ("mtia_workloadd", KINETO_DEVICE),
  CATEGORY ("mlu_runtime", KINETO_CALL),
  CATEGORY ("mlu_memcpy", KINETO_DEVICE),
  CATEGORY ("mlu_memset", KINETO_DEVICE),
  CATEGORY ("mlu_user_annotation", KINETO_DEVICE_ANNOTATION),
  CATEGORY ("glow_runtime", KINETO_CALL),
  CATEGORY ("privateuse1_runtime", KINETO_CALL),
  CATEGORY ("privateuse1_driver", KINETO_CALL),
  CATEGORY ("hpu_op", KINETO_DEVICE),
  CATEGORY ("collective_comm", KINETO_DEVICE),
  CATEGORY ("cuda_profiler_range", KINETO_DEVICE),
  CATEGORY ("xpu_scope_profiler", KINETO_DEVICE),
  CATEGORY ("mlu_profiler_range", KINETO_DEVICE),
  CATEGORY ("overhead", KINETO_PROFILER),
  CATEGORY ("Trace", KINETO_PROFILER),
  CATEGORY ("Operator", KINETO_OPERATOR),
  CATEGORY ("Kernel", KINETO_DEVICE),
  CATEGORY ("Memcpy", KINETO_DEVICE),
  CATEGORY ("Memset", KINETO_DEVICE),
  CATEGORY ("Runtime", KINETO_CALL),
};
#undef CATEGORY

KinetoKind
tt_kineto_kind (TtSlice category)
{
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    if (tt_slice_is (category, categories[i].category, categories[i].len))
      return categories[i].kind;
  return KINETO_OTHER;
}

const char *
tt_kineto_row_category (TtSlice pid)
{
  static const char rows[] = " functions";
  gsize len = pid.len - MIN (pid.len, sizeof rows - 1);

  if (len == 0 || memcmp (pid.bytes + len, rows, sizeof rows - 1) != 0)
    return NULL;
  return tt_slice_is (pid, TT_KINETO_CPU_ROW, strlen (TT_KINETO_CPU_ROW)) ? "Operator" : "Kernel";
}

gboolean
tt_kineto_is_launch_flow (TtSlice cat, TtSlice name)
{
  return TT_SLICE_IS (cat, "ac2g") || TT_SLICE_IS (cat, "cpu_to_cuda") || TT_SLICE_IS (cat, "async_cpu_to_gpu") ||
         TT_SLICE_IS (cat, "async_gpu") || (TT_SLICE_IS (cat, "async") && TT_SLICE_IS (name, "launch"));
}

gboolean
tt_kineto_is_autograd_flow (TtSlice cat)
{
  return TT_SLICE_IS (cat, "fwdbwd") || TT_SLICE_IS (cat, "forward_backward") || TT_SLICE_IS (cat, "fwd_bwd");
}

gboolean
tt_kineto_is_shared_category (const char *category)
{
  static const char *const shared[] = { "kernel", "Operator", "Kernel", "Memcpy", "Memset", "Runtime", "Trace", NULL };

  return g_strv_contains (shared, category);
}

gboolean
tt_kineto_is_category (const char *category)
{
  if (strcmp (category, "ac2g") == 0 || strcmp (category, "fwdbwd") == 0 || strcmp (category, "cpu_instant_event") == 0)
    return TRUE;
  return !tt_kineto_is_shared_category (category) &&
         tt_kineto_kind ((TtSlice){ category, strlen (category) }) != KINETO_OTHER;
}

/* -- order ----------------------------------------------------------------------------------------- */

void
tt_kineto_order_note (KinetoOrder *self, const TtTraceEvent *event)
{
  guint64 thread = XXH3_64bits (event->tid.raw.bytes, event->tid.raw.len);
  gint64 end_ns = 0;

  /* Beyond what 64 bits hold: the import says so. */
  if (__builtin_add_overflow (event->ts_ns, event->dur_ns, &end_ns))
    return;
  if (thread == self->thread)
    {
      self->is_not_by_begin |= event->ts_ns < self->ts_ns;
      self->is_not_by_end |= end_ns < self->end_ns;
    }
  self->thread = thread;
  self->ts_ns = event->ts_ns;
  self->end_ns = end_ns;
}

gboolean
tt_kineto_order_is_by_end (const KinetoOrder *self)
{
  return self->is_not_by_begin && !self->is_not_by_end;
}

/* -- names ----------------------------------------------------------------------------------------- */

const char *
tt_kineto_sub_op (const char *collective, gsize len)
{
  static const struct
  {
    const char *part, *sub_op;
  } parts[] = {
    { "allreduce", "ALLREDUCE" }, { "allgather", "ALLGATHER" }, { "reduce", "REDUCE" },   { "alltoall", "ALLTOALL" },
    { "broadcast", "BCAST" },     { "gather", "GATHER" },       { "scatter", "SCATTER" }, { "sendrecv", "SENDRECV" },
    { "send", "SEND" },           { "recv", "RECV" },
  };
  char word[64];
  guint n = 0;

  for (gsize i = 0; i < len && n < sizeof word - 1; i++)
    if (g_ascii_isalpha (collective[i]))
      word[n++] = g_ascii_tolower (collective[i]);
  word[n] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (word, parts[i].part) != NULL)
      return parts[i].sub_op;
  return NULL;
}

static guint64
number_of_group (TtSlice group)
{
  guint64 number = 0;
  gsize i;

  for (i = 0; i < group.len && i < 9 && g_ascii_isdigit (group.bytes[i]); i++)
    number = number * 10 + (guint64) (group.bytes[i] - '0');
  if (i == group.len)
    return number;
  return TT_COMM_IS_MADE | (XXH3_64bits (group.bytes, group.len) & (TT_COMM_IS_MADE - 1));
}

guint64
tt_kineto_communicator (TtSlice group, TtSlice ranks)
{
  guint64 number = number_of_group (group);

  return group.len == 0 || ranks.len == 0 ? number : tt_comm_of_members (number, XXH3_64bits (ranks.bytes, ranks.len));
}

gboolean
tt_kineto_is_collective (const char *sub_op)
{
  return sub_op != NULL && strcmp (sub_op, "SEND") != 0 && strcmp (sub_op, "RECV") != 0 &&
         strcmp (sub_op, "SENDRECV") != 0;
}

gint32
tt_kineto_step_number (const char *name)
{
  static const char prefix[] = "ProfilerStep#";
  guint64 number;

  if (!g_str_has_prefix (name, prefix) ||
      !g_ascii_string_to_unsigned (name + sizeof prefix - 1, 10, 0, G_MAXINT32 - 1, &number, NULL))
    return TT_NO_STEP;
  return (gint32) number;
}

gboolean
tt_kineto_is_launch (const char *name)
{
  static const char *const parts[] = { "Launch",        "Memcpy",     "Memset",     "launch",       "submit",
                                       "EnqueueKernel", "EnqueueMem", "EnqueueUSM", "AppendMemory", NULL };

  /* cudaGraphAddMemcpyNode and its like build a graph; cudaGraphLaunch starts it. */
  if (strstr (name, "Graph") != NULL && strstr (name, "Node") != NULL)
    return FALSE;
  for (guint i = 0; parts[i] != NULL; i++)
    if (strstr (name, parts[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* "AddmmBackward0", "torch::jit::(anonymous namespace)::DifferentiableGraphBackward": the class of a node. */
static gboolean
is_node (const char *name)
{
  const char *scope = g_strrstr (name, "::");
  const char *word = scope == NULL ? name : scope + 2;
  gsize len = strlen (word);

  while (len > 0 && g_ascii_isdigit (word[len - 1]))
    len--;
  if (len < strlen ("Backward") || strncmp (word + len - strlen ("Backward"), "Backward", strlen ("Backward")) != 0)
    return FALSE;
  for (gsize i = 0; i < len; i++)
    if (!g_ascii_isalnum (word[i]) && word[i] != '_')
      return FALSE;
  return TRUE;
}

gboolean
tt_kineto_is_engine (const char *name)
{
  return g_str_has_prefix (name, "autograd::engine::evaluate_function") ||
         g_str_has_prefix (name, "torch::autograd::") || is_node (name);
}

/* -- header ---------------------------------------------------------------------------------------- */

static gint64
get_int (TtSlice object, const char *key)
{
  TtJsonValue value = tt_json_get (object, key);
  gint64 number;

  return value.kind != TT_JSON_NONE && tt_json_int64 (&value, &number) && number >= 0 ? number : -1;
}

char *
tt_kineto_device_text (TtSlice device, gint64 *id)
{
  GString *text = g_string_new (NULL);
  TtJsonValue name = tt_json_get (device, "name");
  gint64 bytes = get_int (device, "totalGlobalMem");
  gint64 major = get_int (device, "computeMajor"), minor = get_int (device, "computeMinor");
  gint64 n_sms = get_int (device, "numSms");

  *id = get_int (device, "id");
  if (name.kind == TT_JSON_STRING)
    tt_json_unescape (&name, text, NULL);
  if (bytes >= 0)
    g_string_append_printf (text, ", %" G_GINT64_FORMAT " bytes", bytes);
  if (major >= 0 && minor >= 0)
    g_string_append_printf (text, ", compute %" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, major, minor);
  if (n_sms >= 0)
    g_string_append_printf (text, ", %" G_GINT64_FORMAT " SMs", n_sms);
  return g_string_free (text, FALSE);
}
