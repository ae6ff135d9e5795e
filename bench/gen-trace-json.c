/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen-trace-json: writes trace-event JSON of any size, the same bytes for the same options on every machine.
 *
 *   gen-trace-json --minimal N FILE    N spans of 16 threads in begin order: name, cat, ph, ts, dur, pid, tid
 *   gen-trace-json --kineto MB FILE    about MB megabytes of a PyTorch training run as Kineto writes it:
 *                                      host operators, CUDA calls, kernels, copies, collectives, flows, and
 *                                      per event the arguments of the real ones; children come before parents
 *   gen-trace-json --template N FILE   about N events of a data-parallel job in the uniform template
 *   --expect FILE                      what is in it, as JSON; --rank R, --ranks N: of the Kineto trace
 */
#include "config.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct
{
  FILE *file;
  guint64 n_events, n_spans, n_args, n_flows, n_instants, n_counters, n_bytes;
  guint64 random;
} Writer;

static guint32
next_random (Writer *self, guint32 below)
{
  self->random = self->random * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
  return (guint32) (((self->random >> 33) * below) >> 31);
}

static void G_GNUC_PRINTF (2, 3) put (Writer *self, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  int n = vfprintf (self->file, format, values);
  va_end (values);
  if (n > 0)
    self->n_bytes += (guint64) n;
}

static void
begin_event (Writer *self)
{
  put (self, self->n_events++ == 0 ? "\n" : ",\n");
}

/* Nanoseconds as decimal microseconds, for "%lld.%03d". */
#define US(ns) (long long) ((ns) / 1000), (int) ((ns) % 1000)

/* -- minimal ---------------------------------------------------------------------------------------- */

static void
write_minimal (Writer *self, guint64 n)
{
  gint64 clock[16] = { 0 };

  put (self, "{\"traceEvents\":[");
  for (guint64 i = 0; i < n; i++)
    {
      guint k = (guint) (i & 15);
      gint64 dur_ns = 1000 + next_random (self, 120000);

      begin_event (self);
      put (self,
           "{\"name\":\"op_%03u\",\"cat\":\"cpu_op\",\"ph\":\"X\",\"ts\":%lld.%03d,\"dur\":%lld.%03d,\"pid\":%u,"
           "\"tid\":%u}",
           next_random (self, 400), US (clock[k]), US (dur_ns), 1 + (k >> 2), 1 + (k & 3));
      clock[k] += dur_ns + 500;
    }
  put (self, "\n]}\n");
  self->n_spans = n;
}

/* -- Kineto ----------------------------------------------------------------------------------------- */

typedef struct
{
  const char *name, *child, *kernel;
  gint64 kernel_ns;
} Operator;

static const Operator operators[] = {
  { "aten::linear", "aten::addmm", "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1",
    140000 },
  { "aten::layer_norm", "aten::native_layer_norm",
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float, "
    "c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, c10::BFloat16*)",
    21000 },
  { "aten::matmul", "aten::bmm", "sm90_xmma_gemm_bf16bf16_bf16f32_f32_nn_n_tilesize64x64x64_warpgroupsize1x1x1",
    80000 },
  { "aten::softmax", "aten::_softmax",
    "void (anonymous namespace)::softmax_warp_forward<c10::BFloat16, c10::BFloat16, float, 11, false, false>"
    "(c10::BFloat16*, c10::BFloat16 const*, int, int, int, bool const*, int, bool)",
    33000 },
  { "aten::gelu", NULL,
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, "
    "at::native::GeluType)::{lambda()#2}, at::detail::Array<char*, 2> >(int)",
    25000 },
  { "aten::dropout", "aten::native_dropout",
    "void at::native::(anonymous namespace)::fused_dropout_kernel_vec<c10::BFloat16, float, unsigned int, 1, 8, bool>"
    "(at::cuda::detail::TensorInfo<c10::BFloat16 const, unsigned int>)",
    14000 },
};

enum
{
  STREAM_COMPUTE = 7,
  STREAM_COMM = 20,
  LAYERS = 16,
};

typedef struct
{
  Writer *out;
  guint rank, ranks;
  guint pid, forward, backward;        /* tids */
  gint64 host_ns, compute_ns, comm_ns; /* clocks of the host and of two streams */
  guint64 external, correlation, sequence;
} Kineto;

static void
put_host_span (Kineto *self, const char *cat, const char *name, guint tid, gint64 from_ns)
{
  begin_event (self->out);
  put (self->out,
       "  {\n    \"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %u, \"tid\": %u,\n    \"ts\": %lld.%03d, "
       "\"dur\": "
       "%lld.%03d,\n    \"args\": {\n      \"External id\": %" G_GUINT64_FORMAT,
       cat, name, self->pid, tid, US (from_ns), US (self->host_ns - from_ns), self->external);
  self->out->n_spans++;
  self->out->n_args++;
}

static void
put_flow (Kineto *self, char phase, const char *kind, guint64 id, guint pid, guint tid, gint64 ns)
{
  begin_event (self->out);
  put (self->out,
       "  {\n    \"ph\": \"%c\", \"id\": %" G_GUINT64_FORMAT
       ", \"pid\": %u, \"tid\": %u, \"ts\": %lld.%03d,\n    \"cat\": \"%s\", \"name\": \"%s\"%s\n  }",
       phase, id, pid, tid, US (ns), kind, kind, phase == 'f' ? ", \"bp\": \"e\"" : "");
  self->out->n_flows += phase == 'f';
}

/* A CUDA call on the host and what it starts on a stream. @collective: NULL for a kernel. */
static void
launch (Kineto *self, guint tid, const char *kernel, gint64 kernel_ns, guint stream, const char *collective)
{
  gint64 *clock = stream == STREAM_COMM ? &self->comm_ns : &self->compute_ns;
  guint device = self->rank % 8;
  gint64 call_ns = self->host_ns;
  guint64 id = ++self->correlation;

  self->host_ns += 4000 + next_random (self->out, 6000);
  put_host_span (self, "cuda_runtime", "cudaLaunchKernel", tid, call_ns);
  put (self->out, ", \"cbid\": 211, \"correlation\": %" G_GUINT64_FORMAT "\n    }\n  }", id);
  put_flow (self, 's', "ac2g", id, self->pid, tid, call_ns);

  gint64 from_ns = MAX (*clock, self->host_ns + 2500);
  gint64 dur_ns = kernel_ns * (90 + next_random (self->out, 20)) / 100;
  guint grid = 64 + next_random (self->out, 2048);
  begin_event (self->out);
  put (self->out,
       "  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": %u, \"tid\": %u,\n    \"ts\": "
       "%lld.%03d, \"dur\": "
       "%lld.%03d,\n    \"args\": {\n      \"External id\": %" G_GUINT64_FORMAT
       ", \"queued\": 0, \"device\": %u, \"context\": 1,\n      \"stream\": %u, \"correlation\": %" G_GUINT64_FORMAT
       ",\n      \"registers per thread\": %u, \"shared memory\": %u,\n      \"blocks per SM\": %u.%06u, \"warps per "
       "SM\": "
       "%u.%06u,\n      \"grid\": [%u, 1, 1], \"block\": [256, 1, 1],\n      \"est. achieved occupancy %%\": %u",
       kernel, device, stream, US (from_ns), US (dur_ns), self->external, device, stream, id,
       32 + next_random (self->out, 200), next_random (self->out, 6) * 16384, grid / 132, grid % 132 * 7575, grid / 16,
       grid % 16 * 62500, grid, 5 + next_random (self->out, 90));
  if (collective != NULL)
    put (self->out,
         ",\n      \"Collective name\": \"%s\", \"In msg nelems\": %u, \"Out msg nelems\": %u, \"Group size\": %u, "
         "\"dtype\": "
         "\"BFloat16\", \"Process Group Name\": \"0\", \"Process Group Description\": \"default_pg\"",
         collective, grid * 4096, grid * 4096, self->ranks);
  put (self->out, "\n    }\n  }");
  self->out->n_spans++;
  self->out->n_args++;
  put_flow (self, 'f', "ac2g", id, device, stream, from_ns);
  *clock = from_ns + dur_ns;
}

static void
end_operator (Kineto *self, const char *name, guint tid, gint64 from_ns, guint64 sequence, gboolean is_backward)
{
  put_host_span (self, "cpu_op", name, tid, from_ns);
  put (self->out,
       ", \"Record function id\": 0, \"Sequence number\": %" G_GUINT64_FORMAT
       ", \"Fwd thread id\": %d,\n      \"Concrete Inputs\": [\"\", \"\", \"\", \"1\", \"1\"], \"Input type\": "
       "[\"c10::BFloat16\", "
       "\"c10::BFloat16\", \"c10::BFloat16\", \"Scalar\", \"Scalar\"], \"Input Strides\": [[1], [4096, 1], [1, 4096], "
       "[], []], "
       "\"Input Dims\": [[4096], [2048, 4096], [4096, 4096], [], []], \"Ev Idx\": %" G_GUINT64_FORMAT "\n    }\n  }",
       sequence, is_backward ? 1 : 0, self->external);
}

static void
run_operator (Kineto *self, const Operator *operator, gboolean is_backward)
{
  guint tid = is_backward ? self->backward : self->forward;
  guint64 sequence = is_backward ? self->sequence-- : ++self->sequence;
  gint64 from_ns = self->host_ns;
  g_autofree char *node = g_strdup_printf ("autograd::engine::evaluate_function: %sBackward0", operator->name + 6);

  self->external++;
  put_flow (self, is_backward ? 'f' : 's', "fwdbwd", sequence, self->pid, tid, from_ns);
  self->host_ns += 2000 + next_random (self->out, 3000);
  if (operator->child != NULL)
    {
      gint64 child_ns = self->host_ns;
      self->external++;
      self->host_ns += 1000 + next_random (self->out, 2000);
      launch (self, tid, operator->kernel, operator->kernel_ns << is_backward, STREAM_COMPUTE, NULL);
      self->host_ns += 800;
      end_operator (self, operator->child, tid, child_ns, sequence, is_backward);
    }
  else
    launch (self, tid, operator->kernel, operator->kernel_ns << is_backward, STREAM_COMPUTE, NULL);
  self->host_ns += 1200;
  end_operator (self, is_backward ? node : operator->name, tid, from_ns, sequence, is_backward);
  begin_event (self->out);
  put (self->out,
       "  {\n    \"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\",\n    \"pid\": "
       "%u, \"tid\": %u,\n"
       "    \"ts\": %lld.%03d,\n    \"args\": {\n      \"Total Reserved\": 42949672960, \"Total Allocated\": %u, "
       "\"Bytes\": "
       "%u, \"Addr\": %" G_GUINT64_FORMAT ", \"Device Id\": %u, \"Device Type\": 1, \"Ev Idx\": %" G_GUINT64_FORMAT
       "\n    }\n  }",
       self->pid, tid, US (self->host_ns - 500), next_random (self->out, 1u << 30), next_random (self->out, 1u << 24),
       G_GUINT64_CONSTANT (140000000000000) + self->external * 4096, self->rank % 8, self->external);
  self->out->n_instants++;
  self->out->n_args++;
}

static void
run_collective (Kineto *self, guint tid)
{
  gint64 from_ns = self->host_ns;

  self->external++;
  self->host_ns += 5000;
  launch (self, tid, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 300000, STREAM_COMM,
          "allreduce");
  self->host_ns += 3000;
  put_host_span (self, "cpu_op", "record_param_comms", tid, from_ns);
  put (self->out, ", \"Collective name\": \"allreduce\", \"dtype\": \"BFloat16\", \"Group size\": %u\n    }\n  }",
       self->ranks);
}

static void
run_step (Kineto *self, guint step)
{
  gint64 from_ns = self->host_ns;

  for (guint layer = 0; layer < LAYERS; layer++)
    for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
      run_operator (self, &operators[i], FALSE);
  for (guint layer = LAYERS; layer-- > 0;)
    {
      for (guint i = G_N_ELEMENTS (operators); i-- > 0;)
        run_operator (self, &operators[i], TRUE);
      if (layer % 2 == 0)
        run_collective (self, self->backward);
    }
  self->host_ns = MAX (self->host_ns, MAX (self->compute_ns, self->comm_ns)) + 4000;
  g_autofree char *name = g_strdup_printf ("ProfilerStep#%u", step);
  self->external++;
  put_host_span (self, "user_annotation", name, self->forward, from_ns);
  put (self->out, ", \"Ev Idx\": %" G_GUINT64_FORMAT "\n    }\n  }", self->external);
  self->host_ns += 10000;
}

static void
put_label (Kineto *self, const char *what, guint pid, guint tid, const char *key, const char *value)
{
  begin_event (self->out);
  put (self->out,
       "  {\n    \"name\": \"%s\", \"ph\": \"M\", \"ts\": 0.000, \"pid\": %u, \"tid\": %u,\n    \"args\": {\n      "
       "\"%s\": \"%s\"\n    }\n  }",
       what, pid, tid, key, value);
}

static void
write_kineto (Writer *out, guint64 bytes, guint rank, guint ranks)
{
  Kineto self = { .out = out, .rank = rank, .ranks = ranks, .pid = 4096 + rank };
  guint device = rank % 8, step = 0;

  self.forward = self.pid;
  self.backward = self.pid + 77;
  self.host_ns = self.compute_ns = self.comm_ns = 1000000000;
  put (out,
       "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\n      \"id\": %u, \"name\": \"NVIDIA H100 80GB "
       "HBM3\", "
       "\"totalGlobalMem\": 85031714816\n    }\n  ],\n  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %u, "
       "\"world_size\": %u},\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": 1727740800000000000,\n  "
       "\"traceEvents\": [",
       device, rank, ranks);
  put_label (&self, "process_name", self.pid, 0, "name", "python");
  put_label (&self, "process_labels", self.pid, 0, "labels", "CPU");
  put_label (&self, "process_name", device, 0, "name", "python");
  g_autofree char *gpu = g_strdup_printf ("GPU %u", device);
  put_label (&self, "process_labels", device, 0, "labels", gpu);
  put_label (&self, "thread_name", device, STREAM_COMPUTE, "name", "stream 7 ");
  put_label (&self, "thread_name", device, STREAM_COMM, "name", "stream 20 ");
  while (out->n_bytes < bytes)
    run_step (&self, ++step);
  put (out, "\n  ],\n  \"traceName\": \"/tmp/trace_%u.json\"\n}\n", rank);
}

/* -- uniform template -------------------------------------------------------------------------------- */

static void
put_template (Writer *self,
              const char *name,
              const char *pid,
              const char *tid,
              const char *cat,
              gint64 us,
              guint dur,
              guint step)
{
  begin_event (self);
  put (self,
       "{\"name\": \"%s\", \"ts\": %" G_GINT64_FORMAT ", \"dur\": %u, \"ph\": \"X\", \"pid\": \"%s\", \"tid\": \"%s\", "
                                                      "\"cat\": \"%s\", \"args\": {\"name\": \"%s\", \"step\": %u}}",
       name, us, dur, pid, tid, cat, name, step);
  self->n_spans++;
  self->n_args++;
}

static void
write_template (Writer *self, guint64 n)
{
  enum
  {
    RANKS = 8,
    OPERATORS = 60,
  };
  gint64 us = G_GINT64_CONSTANT (1600000000000000);

  put (self, "{\"traceEvents\": [");
  for (guint step = 0; self->n_events < n; step++)
    {
      gint64 longest = 0;
      for (guint rank = 0; rank < RANKS; rank++)
        {
          g_autofree char *pid = g_strdup_printf ("host%u.rank%u", rank / 4, rank % 4);
          gint64 now = us;
          for (guint i = 0; i < 3 * OPERATORS; i++)
            {
              guint k = i % OPERATORS;
              g_autofree char *name =
                  i < OPERATORS       ? g_strdup_printf ("FW.model/layer_%u/MatMul", k)
                  : i < 2 * OPERATORS ? g_strdup_printf ("BW.gradient_tape/model/layer_%u/MatMul_1", OPERATORS - 1 - k)
                                      : g_strdup_printf ("UPDATE_.SGD/update_%u/ResourceApplyGradientDescent", k);
              guint dur = 20 + next_random (self, 100);
              put_template (self, name, pid, "operator0", "operator", now, dur, step);
              if (i >= OPERATORS && i < 2 * OPERATORS)
                {
                  g_autofree char *comm = g_strdup_printf ("Comm.%u.NCCL_ALLREDUCE", OPERATORS - 1 - k);
                  put_template (self, comm, pid, "Comm", "Comm", now + dur, 2 * dur, step);
                }
              now += dur + 2;
            }
          longest = MAX (longest, now - us);
        }
      us += longest + 500;
    }
  put (self, "\n]}\n");
}

/* -- the program --------------------------------------------------------------------------------------- */

static void
write_expected (const Writer *self, const char *path)
{
  FILE *file = fopen (path, "w");

  if (file == NULL)
    {
      g_printerr ("gen-trace-json: cannot write '%s'\n", path);
      exit (1);
    }
  fprintf (file,
           "{\"events\": %" G_GUINT64_FORMAT ", \"spans\": %" G_GUINT64_FORMAT ", \"args\": %" G_GUINT64_FORMAT
           ", \"flows\": %" G_GUINT64_FORMAT ", \"instants\": %" G_GUINT64_FORMAT ", \"bytes\": %" G_GUINT64_FORMAT
           "}\n",
           self->n_events, self->n_spans, self->n_args, self->n_flows, self->n_instants, self->n_bytes);
  fclose (file);
}

int
main (int argc, char **argv)
{
  gint64 minimal = 0, kineto = 0, template = 0;
  int rank = 0, ranks = 8;
  g_autofree char *expect = NULL;
  const GOptionEntry entries[] = {
    { "minimal", 0, 0, G_OPTION_ARG_INT64, &minimal, "Spans without arguments", "N" },
    { "kineto", 0, 0, G_OPTION_ARG_INT64, &kineto, "A PyTorch trace", "MB" },
    { "template", 0, 0, G_OPTION_ARG_INT64, &template, "A job in the uniform template", "N" },
    { "rank", 0, 0, G_OPTION_ARG_INT, &rank, "Rank of the PyTorch trace", "R" },
    { "ranks", 0, 0, G_OPTION_ARG_INT, &ranks, "Ranks of its job", "N" },
    { "expect", 0, 0, G_OPTION_ARG_FILENAME, &expect, "Write what is in it", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE");
  g_autoptr (GError) error = NULL;
  Writer self = { .random = 1 + (guint64) rank };

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2 ||
      (minimal > 0) + (kineto > 0) + (template > 0) != 1)
    {
      g_printerr ("gen-trace-json: %s\n",
                  error != NULL ? error->message : "give one of --minimal, --kineto, --template, and a file");
      return 2;
    }
  self.file = fopen (argv[1], "w");
  if (self.file == NULL)
    {
      g_printerr ("gen-trace-json: cannot write '%s'\n", argv[1]);
      return 1;
    }
  setvbuf (self.file, NULL, _IOFBF, 1 << 20);
  if (minimal > 0)
    write_minimal (&self, (guint64) minimal);
  else if (kineto > 0)
    write_kineto (&self, (guint64) kineto * 1000000, (guint) rank, (guint) ranks);
  else
    write_template (&self, (guint64) template);
  if (fclose (self.file) != 0)
    {
      g_printerr ("gen-trace-json: cannot write '%s'\n", argv[1]);
      return 1;
    }
  if (expect != NULL)
    write_expected (&self, expect);
  return 0;
}
