/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/rules.h"

#include <string.h>

#define OMPT "ompt_pinsight_lttng_ust"
#define PMPI "pmpi_pinsight_lttng_ust"
#define OLD_MPI "lttng_pinsight_mpi"
#define CUPTI "cupti_pinsight_lttng_ust"
#define ROCTRACER "roctracer_pinsight_lttng_ust"
#define PYTHON "pysysmon_pinsight_lttng_ust"
#define ENERGY "energy_pinsight_lttng_ust"
#define ENTER_EXIT "pinsight_enter_exit_lttng_ust"
#define MANIFEST "pinsight_manifest_lttng_ust"

/* Ends that an implementation of OpenMP leaves out lie within the parallel region or implicit task around them. */
#define TEAM (TT_CTF_PARALLEL | TT_CTF_TASK)
#define REGION                               \
  {                                          \
    "parallel_codeptr", "parallel_record_id" \
  }

/* ompt_work_t */
static const TtCtfWord work_words[] = {
  { 1, "loop" },       { 2, "sections" }, { 3, "single_executor" }, { 4, "single_other" }, { 5, "workshare" },
  { 6, "distribute" }, { 7, "taskloop" }, { 8, "scope" },           { 0, NULL },
};

/* ompt_sync_region_t: all barriers that no directive asks for are implicit. PInsight's names of events do not show
 * it. */
static const TtCtfWord barrier_words[] = {
  { 2, "implicit" }, { 3, "explicit" },  { 4, "implicit" }, { 8, "implicit" },
  { 9, "implicit" }, { 10, "implicit" }, { 0, NULL },
};

/* cudaMemcpyKind, hipMemcpyKind */
static const TtCtfWord copy_words[] = {
  { 0, "H2H" }, { 1, "H2D" }, { 2, "D2H" }, { 3, "D2D" }, { 4, "DEFAULT" }, { 0, NULL },
};

/* CUpti_ActivityMemcpyKind, which activities have whatever their field is called: arrays lie on the device. */
static const TtCtfWord activity_words[] = {
  { 1, "H2D" }, { 2, "D2H" }, { 3, "H2D" }, { 4, "D2H" },  { 5, "D2D" }, { 6, "D2D" },
  { 7, "D2D" }, { 8, "D2D" }, { 9, "H2H" }, { 10, "D2D" }, { 0, NULL },
};

static const TtCtfSpanRule span_rules[] = {
  /* -- OpenMP -- */
  { OMPT, "parallel_begin", "parallel_end", TT_CTF_PARALLEL, "COMP", "omp_parallel", .zero_op = "omp_program",
    .codeptr = "parallel_codeptr", .match = REGION, .fences = TT_CTF_TASK },
  { OMPT, "implicit_task_begin", "implicit_task_end", TT_CTF_TASK, "COMP", "omp_implicit_task",
    .codeptr = "parallel_codeptr", .match = REGION, .fences = TT_CTF_PARALLEL },
  { OMPT, "work_begin", "work_end", TT_CTF_WORK, "COMP", "omp_work", .sub_field = "wstype", .words = work_words,
    .codeptr = "work_begin_codeptr", .end_field = "work_end_codeptr", .fences = TEAM },
  /* The end has the region's address as its begin: nothing to compare. Work does not contain masked regions. */
  { OMPT, "masked_begin", "masked_end", TT_CTF_MASKED, "COMP", "omp_masked", .codeptr = "masked_begin_codeptr",
    .end_field = "masked_end_codeptr", .closes = TT_CTF_WORK, .fences = TEAM },
  { OMPT, "barrier_implicit_sync_begin", "barrier_implicit_sync_end", TT_CTF_BARRIER, "SYNC", "omp_barrier",
    .sub_op = "implicit", .sub_field = "kind", .words = barrier_words, .codeptr = "sync_codeptr", .closes = TT_CTF_WORK,
    .fences = TEAM },
  { OMPT, "barrier_implicit_sync_wait_begin", "barrier_implicit_sync_wait_end", TT_CTF_BARRIER_WAIT, "SYNC",
    "omp_barrier_wait", .sub_op = "implicit", .sub_field = "kind", .words = barrier_words, .codeptr = "sync_codeptr",
    .fences = TEAM },
  { OMPT, "barrier_explicit_sync_begin", "barrier_explicit_sync_end", TT_CTF_BARRIER, "SYNC", "omp_barrier",
    .sub_op = "explicit", .sub_field = "kind", .words = barrier_words, .codeptr = "sync_codeptr", .closes = TT_CTF_WORK,
    .fences = TEAM },
  { OMPT, "barrier_explicit_sync_wait_begin", "barrier_explicit_sync_wait_end", TT_CTF_BARRIER_WAIT, "SYNC",
    "omp_barrier_wait", .sub_op = "explicit", .sub_field = "kind", .words = barrier_words, .codeptr = "sync_codeptr",
    .fences = TEAM },
  { OMPT, "parallel_join_sync_begin", "parallel_join_sync_end", TT_CTF_JOIN, "SYNC", "omp_join",
    .codeptr = "parallel_codeptr", .match = REGION, .closes = TT_CTF_WORK, .fences = TEAM },
  { OMPT, "parallel_join_sync_wait_begin", "parallel_join_sync_wait_end", TT_CTF_JOIN_WAIT, "SYNC", "omp_join_wait",
    .codeptr = "parallel_codeptr", .match = REGION, .fences = TEAM },
  { OMPT, "thread_begin", "thread_end", TT_CTF_LIFE, "COMP", "omp_thread" },

  /* -- MPI: named by the name rules -- */
  { PMPI, "MPI_*_begin", "MPI_*_end", TT_CTF_MPI, .op = "MPI_*", .codeptr = "mpi_codeptr" },
  { OLD_MPI, "MPI_*_begin", "MPI_*_end", TT_CTF_MPI, .op = "MPI_*", .codeptr = "mpi_codeptr" },

  /* -- devices -- */
  { CUPTI, "cudaKernelLaunch_begin", "cudaKernelLaunch_end", TT_CTF_DEVICE_CALL, "RT", "cudaLaunchKernel",
    .codeptr = "cuda_codeptr", .match = { "correlationId" }, .starts_work = TRUE },
  { CUPTI, "cudaMemcpy_begin", "cudaMemcpy_end", TT_CTF_DEVICE_CALL, "RT", "cudaMemcpy", .sub_field = "cudaMemcpyKind",
    .words = copy_words, .codeptr = "cuda_codeptr", .match = { "correlationId" }, .starts_work = TRUE,
    .role = TT_ACTIVITY_COPY_CALL, .blocks = TRUE },
  { CUPTI, "cudaMemcpyAsync_begin", "cudaMemcpyAsync_end", TT_CTF_DEVICE_CALL, "RT", "cudaMemcpyAsync",
    .sub_field = "cudaMemcpyKind", .words = copy_words, .codeptr = "cuda_codeptr", .match = { "correlationId" },
    .starts_work = TRUE, .role = TT_ACTIVITY_COPY_CALL },
  { CUPTI, "cudaDeviceSync_begin", "cudaDeviceSync_end", TT_CTF_DEVICE_CALL, "SYNC", "cudaDeviceSynchronize",
    .codeptr = "cuda_codeptr", .match = { "correlationId" }, .role = TT_ACTIVITY_SYNCHRONIZE },
  { CUPTI, "cudaStreamSync_begin", "cudaStreamSync_end", TT_CTF_DEVICE_CALL, "SYNC", "cudaStreamSynchronize",
    .codeptr = "cuda_codeptr", .match = { "correlationId" }, .role = TT_ACTIVITY_SYNCHRONIZE },
  { CUPTI, "cudaMalloc_begin", "cudaMalloc_end", TT_CTF_DEVICE_CALL, "RT", "cudaMalloc", .sub_op = "ALLOC",
    .codeptr = "cuda_codeptr", .match = { "correlationId" } },
  { CUPTI, "cudaFree_begin", "cudaFree_end", TT_CTF_DEVICE_CALL, "RT", "cudaFree", .sub_op = "FREE",
    .codeptr = "cuda_codeptr", .match = { "correlationId" } },
  { ROCTRACER, "hipKernelLaunch_begin", "hipKernelLaunch_end", TT_CTF_DEVICE_CALL, "RT", "hipLaunchKernel",
    .codeptr = "hip_codeptr", .match = { "correlation_id" }, .starts_work = TRUE },
  { ROCTRACER, "hipMemcpy_begin", "hipMemcpy_end", TT_CTF_DEVICE_CALL, "RT", "hipMemcpy", .sub_field = "hipMemcpyKind",
    .words = copy_words, .codeptr = "hip_codeptr", .match = { "correlation_id" }, .starts_work = TRUE,
    .role = TT_ACTIVITY_COPY_CALL, .blocks = TRUE },
  { ROCTRACER, "hipMemcpyAsync_begin", "hipMemcpyAsync_end", TT_CTF_DEVICE_CALL, "RT", "hipMemcpyAsync",
    .sub_field = "hipMemcpyKind", .words = copy_words, .codeptr = "hip_codeptr", .match = { "correlation_id" },
    .starts_work = TRUE, .role = TT_ACTIVITY_COPY_CALL },
  { ROCTRACER, "hipDeviceSync_begin", "hipDeviceSync_end", TT_CTF_DEVICE_CALL, "SYNC", "hipDeviceSynchronize",
    .codeptr = "hip_codeptr", .match = { "correlation_id" }, .role = TT_ACTIVITY_SYNCHRONIZE },
  { ROCTRACER, "hipStreamSync_begin", "hipStreamSync_end", TT_CTF_DEVICE_CALL, "SYNC", "hipStreamSynchronize",
    .codeptr = "hip_codeptr", .match = { "correlation_id" }, .role = TT_ACTIVITY_SYNCHRONIZE },
  { ROCTRACER, "hipMalloc_begin", "hipMalloc_end", TT_CTF_DEVICE_CALL, "RT", "hipMalloc", .sub_op = "ALLOC",
    .codeptr = "hip_codeptr", .match = { "correlation_id" } },
  { ROCTRACER, "hipFree_begin", "hipFree_end", TT_CTF_DEVICE_CALL, "RT", "hipFree", .sub_op = "FREE",
    .codeptr = "hip_codeptr", .match = { "correlation_id" } },

  /* -- Python, the process -- */
  { PYTHON, "function_begin", "function_end", TT_CTF_FUNCTION, "COMP", .op_field = "qualname", .codeptr = "code_id",
    .match = { "code_id" }, .nests = TRUE },
  { PYTHON, "c_call_begin", "c_call_end", TT_CTF_FUNCTION, "COMP", .op_field = "callee_name", .codeptr = "code_id",
    .nests = TRUE },
  { ENTER_EXIT, "enter_pinsight", "exit_pinsight", TT_CTF_LIFE, "COMP", "process" },

  /* -- functions of programs compiled with -finstrument-functions -- */
  { "lttng_ust_cyg_profile", "func_entry", "func_exit", TT_CTF_FUNCTION, "COMP", .op_field = "addr", .codeptr = "addr",
    .match = { "addr" }, .nests = TRUE },
  { "lttng_ust_cyg_profile_fast", "func_entry", "func_exit", TT_CTF_FUNCTION, "COMP", .op_field = "addr",
    .codeptr = "addr", .nests = TRUE },

  /* -- every other tracer -- */
  { NULL, "syscall_entry_*", "syscall_exit_*", TT_CTF_OTHER_SPAN, .op = "syscall_*" },
  { NULL, "compat_syscall_entry_*", "compat_syscall_exit_*", TT_CTF_OTHER_SPAN, .op = "syscall_*" },
  { "syscalls", "sys_enter_*", "sys_exit_*", TT_CTF_OTHER_SPAN, .op = "syscall_*" }, /* of perf */
  { "raw_syscalls", "sys_enter", "sys_exit", TT_CTF_OTHER_SPAN, "RT", "syscall" },
  { NULL, "*_entry", "*_exit", TT_CTF_OTHER_SPAN, .nests = TRUE },
  { NULL, "*_begin", "*_end", TT_CTF_OTHER_SPAN, .nests = TRUE },
  { NULL, "*_start", "*_stop", TT_CTF_OTHER_SPAN, .nests = TRUE },
  { NULL, "*_start", "*_end", TT_CTF_OTHER_SPAN, .nests = TRUE },
  { NULL, "*_enter", "*_leave", TT_CTF_OTHER_SPAN, .nests = TRUE },
  { NULL, "*_enter", "*_exit", TT_CTF_OTHER_SPAN, .nests = TRUE },
};

static const TtCtfFactRule fact_rules[] = {
  { CUPTI, "cudaKernelActivity", TT_CTF_ACTIVITY, "COMP", .op_field = "kernelName|kernel_name",
    .begin_field = "start_gpu", .end_field = "end_gpu", .device_field = "devId", .stream_field = "streamId",
    .correlation_field = "correlationId", .role = TT_ACTIVITY_KERNEL },
  { CUPTI, "cudaMemcpyActivity", TT_CTF_ACTIVITY, "MEM", "memcpy", .sub_field = "cudaMemcpyKind|copyKind|kind",
    .words = activity_words, .begin_field = "start_gpu", .end_field = "end_gpu", .device_field = "devId",
    .stream_field = "streamId", .correlation_field = "correlationId", .role = TT_ACTIVITY_COPY },
  { ROCTRACER, "hipKernelActivity", TT_CTF_ACTIVITY, "COMP", .op_field = "kernelName|kernel_name",
    .begin_field = "begin_ns", .end_field = "end_ns", .device_field = "devId", .stream_field = "queueId",
    .correlation_field = "correlation_id", .role = TT_ACTIVITY_KERNEL },
  { ROCTRACER, "hipMemcpyActivity", TT_CTF_ACTIVITY, "MEM", "memcpy", .sub_field = "hipMemcpyKind|copyKind|kind",
    .words = copy_words, .begin_field = "begin_ns", .end_field = "end_ns", .device_field = "devId",
    .stream_field = "queueId", .correlation_field = "correlation_id", .role = TT_ACTIVITY_COPY },
  { CUPTI, "cuda_clock_calibration", TT_CTF_CALIBRATION, .begin_field = "clock_monotonic_ns",
    .end_field = "cupti_timestamp_ns" },
  { ROCTRACER, "hip_clock_calibration", TT_CTF_CALIBRATION, .begin_field = "clock_monotonic_ns",
    .end_field = "roctracer_timestamp_ns" },
  { ENERGY, "energy_enter", TT_CTF_ENERGY },
  { ENERGY, "energy_exit", TT_CTF_ENERGY },
  { MANIFEST, "manifest_process", TT_CTF_MANIFEST_PROCESS },
  { MANIFEST, "manifest_kv", TT_CTF_MANIFEST_VALUE },
};

/* Whether @text is @pattern with its '*', if it has one, replaced; *stem: by what. Free it. */
static gboolean
fits (const char *pattern, const char *text, char **stem)
{
  const char *star = strchr (pattern, '*');
  gsize len = strlen (text), head = star == NULL ? 0 : (gsize) (star - pattern),
        tail = star == NULL ? 0 : strlen (star + 1);

  *stem = NULL;
  if (star == NULL)
    return strcmp (pattern, text) == 0;
  if (len <= head + tail || strncmp (pattern, text, head) != 0 || strcmp (text + len - tail, star + 1) != 0)
    return FALSE;
  *stem = g_strndup (text + head, len - head - tail);
  return TRUE;
}

static char *
partner_of (const char *name, const char *event, const char *pattern, const char *stem)
{
  const char *star = strchr (pattern, '*');
  int provider = (int) (event - name);

  if (star == NULL)
    return g_strdup_printf ("%.*s%s", provider, name, pattern);
  return g_strdup_printf ("%.*s%.*s%s%s", provider, name, (int) (star - pattern), pattern, stem, star + 1);
}

/* The event's own name, without its provider. */
static const char *
event_of (const char *name)
{
  const char *colon = strchr (name, ':');

  return colon == NULL ? name : colon + 1;
}

static gboolean
is_of (const char *name, const char *event, const char *provider)
{
  gsize len = provider == NULL ? 0 : strlen (provider);

  return provider == NULL || ((gsize) (event - name) == len + 1 && strncmp (name, provider, len) == 0);
}

/* Whether @event, which is @name or the end of it, is of the rule, and its partner is among @names. */
static gboolean
try_rule (const TtCtfSpanRule *rule, const char *name, const char *event, GHashTable *names, TtCtfSpanMatch *match)
{
  match->is_begin = fits (rule->begin, event, &match->stem);
  if (!match->is_begin && !fits (rule->end, event, &match->stem))
    return FALSE;
  match->partner = partner_of (name, event, match->is_begin ? rule->end : rule->begin, match->stem);
  /* An event of an unknown tracer begins a span only if the trace declares the event that ends it. */
  if (rule->provider != NULL || g_hash_table_contains (names, match->partner))
    {
      match->rule = rule;
      return TRUE;
    }
  g_clear_pointer (&match->stem, g_free);
  g_clear_pointer (&match->partner, g_free);
  return FALSE;
}

TtCtfSpanMatch
tt_ctf_span_rule (const char *name, GHashTable *names, const GArray *more)
{
  const char *event = event_of (name);
  TtCtfSpanMatch match = { NULL };

  for (guint i = 0; more != NULL && i < more->len; i++)
    if (try_rule (&g_array_index (more, TtCtfSpanRule, i), name, name, names, &match))
      return match;
  for (guint i = 0; i < G_N_ELEMENTS (span_rules); i++)
    if (is_of (name, event, span_rules[i].provider) && try_rule (&span_rules[i], name, event, names, &match))
      return match;
  return match;
}

const TtCtfFactRule *
tt_ctf_fact_rule (const char *name)
{
  const char *event = event_of (name);

  for (guint i = 0; i < G_N_ELEMENTS (fact_rules); i++)
    if (is_of (name, event, fact_rules[i].provider) && strcmp (event, fact_rules[i].event) == 0)
      return &fact_rules[i];
  return NULL;
}

const char *
tt_ctf_word (const TtCtfWord *words, gint64 number)
{
  for (; words != NULL && words->word != NULL; words++)
    if (words->number == number)
      return words->word;
  return NULL;
}
