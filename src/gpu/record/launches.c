/* SPDX-License-Identifier: Apache-2.0 */
#include "src/gpu/record/record.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define OUT_OF_MEMORY 2
#define INVALID_VALUE 1
#define WARP 32u
#define ENTRY 24u
/* Of the list that `extra` is. */
#define EXTRA_END ((void *) 0)
#define EXTRA_POINTER ((void *) 1)
#define EXTRA_SIZE ((void *) 2)

typedef struct
{
  uint64_t units, n_units, unit_bytes, bytes, count_bytes; /* units: of a block */
  TtCuAddress data, counts;
} Memory;

typedef struct
{
  TtCuResult (*allocate) (TtCuAddress *, size_t);
  TtCuResult (*release) (TtCuAddress);
  TtCuResult (*fill) (TtCuAddress, unsigned char, size_t);
  TtCuResult (*to_device) (TtCuAddress, const void *, size_t);
  TtCuResult (*to_host) (void *, TtCuAddress, size_t);
  TtCuResult (*synchronize) (void);
  TtCuResult (*is_capturing) (TtCuHandle, int *);
  TtCuResult (*exchange_mode) (int *);
} Driver;

typedef struct
{
  const TtRecordLaunch *of;
  const TtRecordPlan *plan;
  Memory memories[TT_RECORD_MOST_MAPS];
  TtCuAddress table;
  uint64_t n_blocks, n_threads;
} Buffers;

static const Driver *
driver (void)
{
  static Driver self;

  if (self.allocate == NULL)
    {
      *(void **) &self.allocate = tt_record_real ("cuMemAlloc_v2");
      *(void **) &self.release = tt_record_real ("cuMemFree_v2");
      *(void **) &self.fill = tt_record_real ("cuMemsetD8_v2");
      *(void **) &self.to_device = tt_record_real ("cuMemcpyHtoD_v2");
      *(void **) &self.to_host = tt_record_real ("cuMemcpyDtoH_v2");
      *(void **) &self.synchronize = tt_record_real ("cuCtxSynchronize");
      *(void **) &self.is_capturing = tt_record_real ("cuStreamIsCapturing");
      *(void **) &self.exchange_mode = tt_record_real ("cuThreadExchangeStreamCaptureMode");
    }
  return self.allocate != NULL && self.release != NULL && self.fill != NULL && self.to_device != NULL &&
                 self.to_host != NULL && self.synchronize != NULL
             ? &self
             : NULL;
}

/* -- memory ------------------------------------------------------------------------------------------- */

static TtCuResult
allocate_zeros (const Driver *cuda, TtCuAddress *address, uint64_t bytes)
{
  TtCuResult result = cuda->allocate (address, bytes);

  if (result != 0)
    *address = 0;
  return result != 0 ? result : cuda->fill (*address, 0, bytes);
}

/* 0: it is more than can be counted. */
static int
measure_map (Buffers *self, unsigned i)
{
  const TtRecordMap *map = &self->plan->maps[i];
  Memory *memory = &self->memories[i];

  memory->units = map->is_warp ? self->n_threads / WARP + (self->n_threads % WARP != 0) : self->n_threads;
  return !__builtin_mul_overflow (map->record_bytes, map->cap != 0 ? map->cap : tt_record_room (),
                                  &memory->unit_bytes) &&
         memory->unit_bytes <= UINT32_MAX &&
         !__builtin_mul_overflow (memory->units, self->n_blocks, &memory->n_units) &&
         !__builtin_mul_overflow (memory->n_units, memory->unit_bytes, &memory->bytes) &&
         !__builtin_mul_overflow (memory->n_units, 8u, &memory->count_bytes);
}

static TtCuResult
allocate_map (const Driver *cuda, Buffers *self, unsigned i, uint8_t *entry)
{
  Memory *memory = &self->memories[i];
  TtCuResult result = measure_map (self, i) ? allocate_zeros (cuda, &memory->data, memory->bytes) : OUT_OF_MEMORY;

  if (result == 0)
    result = allocate_zeros (cuda, &memory->counts, memory->count_bytes);
  memcpy (entry, &memory->data, 8);
  memcpy (entry + 8, &memory->unit_bytes, 8);
  memcpy (entry + 16, &memory->counts, 8);
  return result;
}

static void
release (const Driver *cuda, Buffers *self)
{
  for (unsigned i = 0; i < self->plan->n_maps; i++)
    {
      if (self->memories[i].data != 0)
        cuda->release (self->memories[i].data);
      if (self->memories[i].counts != 0)
        cuda->release (self->memories[i].counts);
    }
  if (self->table != 0)
    cuda->release (self->table);
}

/* What there was memory for is to be released, whatever comes back. */
static TtCuResult
hand_out (const Driver *cuda, Buffers *self)
{
  uint8_t table[TT_RECORD_MOST_MAPS * ENTRY] = { 0 };
  TtCuResult result = 0;

  for (unsigned i = 0; i < self->plan->n_maps && result == 0; i++)
    result = allocate_map (cuda, self, i, table + i * ENTRY);
  if (result == 0)
    result = allocate_zeros (cuda, &self->table, sizeof table);
  if (result == 0)
    result = cuda->to_device (self->table, table, sizeof table);
  return result;
}

/* -- results ------------------------------------------------------------------------------------------- */

static void
put (FILE *file, uint64_t value, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    putc ((int) (value >> 8 * i & 255), file);
}

static uint64_t
write_head (const Buffers *self, FILE *file)
{
  const TtRecordLaunch *launch = self->of;
  uint64_t offset = 32 + 16 * (uint64_t) self->plan->n_maps;

  for (unsigned i = 0; i < 6; i++)
    put (file, i < 3 ? launch->grid[i] : launch->block[i - 3], 4);
  put (file, launch->shared, 4);
  put (file, self->plan->n_maps, 4);
  for (unsigned i = 0; i < self->plan->n_maps; i++)
    {
      put (file, self->memories[i].unit_bytes, 4);
      put (file, self->plan->maps[i].is_warp ? WARP : 1, 4);
      put (file, offset, 8);
      offset += self->memories[i].bytes;
    }
  return offset;
}

static TtCuResult
write_records (const Driver *cuda, const Buffers *self, FILE *file)
{
  static uint8_t piece[1 << 20];

  for (unsigned i = 0; i < self->plan->n_maps; i++)
    for (uint64_t at = 0; at < self->memories[i].bytes; at += sizeof piece)
      {
        uint64_t left = self->memories[i].bytes - at;
        size_t n = left < sizeof piece ? (size_t) left : sizeof piece;
        TtCuResult result = cuda->to_host (piece, self->memories[i].data + at, n);

        if (result != 0)
          return result;
        fwrite (piece, 1, n, file);
      }
  return 0;
}

/* Records that found no room. */
static TtCuResult
count_lost (const Driver *cuda, const Buffers *self, unsigned map, uint64_t *lost)
{
  const Memory *memory = &self->memories[map];
  uint64_t counts[512], bytes = 0;

  for (uint64_t at = 0; at < memory->n_units; at += 512)
    {
      uint64_t n = memory->n_units - at < 512 ? memory->n_units - at : 512;
      TtCuResult result = cuda->to_host (counts, memory->counts + 8 * at, 8 * (size_t) n);

      if (result != 0)
        return result;
      for (uint64_t i = 0; i < n; i++)
        bytes += counts[i] > memory->unit_bytes ? counts[i] - memory->unit_bytes : 0;
    }
  *lost = bytes / self->plan->maps[map].record_bytes;
  return 0;
}

static void
log_areas (const Buffers *self)
{
  uint64_t total = 0;

  for (unsigned i = 0; i < self->plan->n_maps; i++)
    {
      const Memory *memory = &self->memories[i];

      tt_record_note ("[exec] grid %llu %s %llu probe %llu total %llu", (unsigned long long) self->n_blocks,
                      self->plan->maps[i].is_warp ? "warp " : "block", (unsigned long long) memory->units,
                      (unsigned long long) memory->unit_bytes, (unsigned long long) memory->bytes);
      total += memory->bytes;
    }
  tt_record_note ("[exec] probe-mem %llu (bytes)\n[exec] succeed 0", (unsigned long long) total);
}

static void
log_lost (const Driver *cuda, const Buffers *self)
{
  for (unsigned i = 0; i < self->plan->n_maps; i++)
    {
      uint64_t lost = 0;

      if (count_lost (cuda, self, i, &lost) != 0)
        fprintf (stderr, "tracetool: it is not known whether records were lost: their counts cannot be read\n");
      if (lost > 0)
        tt_record_note ("[exec] lost map %u records %llu", i, (unsigned long long) lost);
    }
}

/* No two launches have the same name. */
static uint64_t
next_name (void)
{
  static uint64_t last;
  uint64_t now = (uint64_t) (tt_record_seconds () * 1e6);

  last = now > last ? now : last + 1;
  return last;
}

/* What is written in part goes away again. */
static int
write_result (const Driver *cuda, const Buffers *self, const char *path, uint64_t *size)
{
  FILE *file = fopen (path, "we");
  int ok;

  if (file == NULL)
    return 0;
  *size = write_head (self, file);
  ok = write_records (cuda, self, file) == 0 && !ferror (file);
  ok = fclose (file) == 0 && ok;
  if (!ok)
    unlink (path);
  return ok;
}

static void
save (const Driver *cuda, const Buffers *self)
{
  uint64_t name = next_name (), size;
  char path[4096];
  int len = snprintf (path, sizeof path, "%s/result/%llu.%06llu.bin", tt_record_directory (),
                      (unsigned long long) (name / 1000000), (unsigned long long) (name % 1000000));

  if (len >= (int) sizeof path || !write_result (cuda, self, path, &size))
    {
      tt_record_note ("[exec] cannot write %s", path);
      fprintf (stderr, "tracetool: cannot write '%s': its launch is not recorded\n", path);
      return;
    }
  tt_record_note ("[exec] save %s size %llu", path, (unsigned long long) size);
  log_lost (cuda, self);
}

/* -- launches --------------------------------------------------------------------------------------------- */

/* With the table as the last parameter; as an array, or as bytes. */
static TtCuResult
call_with_table (const Buffers *self,
                 const TtRecordKernel *kernel,
                 TtCuResult (*call) (void *data, void **params, void **extra),
                 void *data)
{
  const TtRecordLaunch *launch = self->of;
  TtCuAddress table = self->table;
  unsigned n = kernel->n_params - 1;
  TtCuResult result;

  if (launch->extra == NULL)
    {
      void **params = calloc (n + 1, sizeof *params);

      if (params == NULL || (launch->params == NULL && n > 0))
        {
          free (params);
          return INVALID_VALUE;
        }
      if (n > 0)
        memcpy (params, launch->params, n * sizeof *params);
      params[n] = &table;
      result = call (data, params, NULL);
      free (params);
      return result;
    }
  const void *bytes = NULL;
  size_t size = 0, whole = (size_t) kernel->param_offset + sizeof table;
  for (void **item = launch->extra; *item != EXTRA_END; item += 2)
    if (*item == EXTRA_POINTER)
      bytes = item[1];
    else if (*item == EXTRA_SIZE)
      size = *(const size_t *) item[1];
  uint8_t *copy = calloc (1, whole);
  if (copy == NULL || (bytes == NULL && size > 0))
    {
      free (copy);
      return INVALID_VALUE;
    }
  /* A struct may be longer than its parameters, by as much as its alignment. */
  if (size > 0)
    memcpy (copy, bytes, size < kernel->param_offset ? size : (size_t) kernel->param_offset);
  memcpy (copy + kernel->param_offset, &table, sizeof table);
  void *extra[] = { EXTRA_POINTER, copy, EXTRA_SIZE, &whole, EXTRA_END };
  result = call (data, NULL, extra);
  free (copy);
  return result;
}

/* Into a graph: it may run when nobody looks, so that its memory stays and is not read. */
static int
is_captured (const Driver *cuda, TtCuHandle stream)
{
  int status = 0;

  return cuda->is_capturing != NULL && cuda->is_capturing (stream, &status) == 0 && status != 0;
}

/* Of kernels in graphs, which nobody reads: one for all launches of a kernel and size, however often they are set anew. */
typedef struct
{
  const TtRecordKernel *kernel;
  uint64_t n_blocks, n_threads;
  TtCuAddress table;
} GraphTable;

static TtCuResult
find_graph_table (const Driver *cuda, Buffers *self, const TtRecordKernel *kernel)
{
  static GraphTable *all;
  static size_t n;
  GraphTable *more;
  int mode = 2; /* relaxed: memory may be asked for */
  TtCuResult result;

  for (size_t i = 0; i < n; i++)
    if (all[i].kernel == kernel && all[i].n_blocks == self->n_blocks && all[i].n_threads == self->n_threads)
      {
        self->table = all[i].table;
        return 0;
      }
  more = realloc (all, (n + 1) * sizeof *all);
  if (more == NULL)
    return OUT_OF_MEMORY;
  all = more;
  if (cuda->exchange_mode != NULL)
    cuda->exchange_mode (&mode);
  result = hand_out (cuda, self);
  if (cuda->exchange_mode != NULL)
    cuda->exchange_mode (&mode);
  if (result == 0)
    all[n++] = (GraphTable){ kernel, self->n_blocks, self->n_threads, self->table };
  else
    release (cuda, self);
  return result;
}

static TtCuResult
launch_into_graph (const Driver *cuda,
                   Buffers *self,
                   const TtRecordKernel *kernel,
                   TtCuResult (*call) (void *data, void **params, void **extra),
                   void *data)
{
  TtCuResult result = find_graph_table (cuda, self, kernel);

  if (result == 0)
    result = call_with_table (self, kernel, call, data);
  if (result == 0)
    tt_record_note ("[exec] graph: %s is not recorded", kernel->name);
  return result;
}

static void
log_launch (const TtRecordLaunch *launch)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  tt_record_note ("[exec] funcmap-find %p success\n[exec] %llu param 0 \n[exec] grid %u %u %u block %u %u %u shared %u",
                  launch->function, (unsigned long long) now.tv_sec * 1000000000u + (unsigned long long) now.tv_nsec,
                  launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
                  launch->block[2], launch->shared);
}

/* With a point, whatever the program's locale has. */
static const char *
decimal (double value, char text[32])
{
  uint64_t millionths = (uint64_t) (value * 1e6 + 0.5);

  snprintf (text, 32, "%llu.%06llu", (unsigned long long) (millionths / 1000000),
            (unsigned long long) (millionths % 1000000));
  return text;
}

/* @at: when it began, when the kernel did, when that ended, and now. */
static void
log_times (const double at[4])
{
  double kernel_ms = (at[2] - at[1]) * 1e3;
  char text[4][32];

  tt_record_note ("[exec] prologue %s kernel %s epilogue %s ratio %s", decimal ((at[1] - at[0]) * 1e3, text[0]),
                  decimal (kernel_ms, text[1]), decimal ((at[3] - at[2]) * 1e3, text[2]),
                  decimal (kernel_ms > 0 ? (at[3] - at[0]) * 1e3 / kernel_ms : 1.0, text[3]));
}

/* 0: there are more than can be counted, and no launch has so many. */
static int
measure_launch (Buffers *self)
{
  const TtRecordLaunch *launch = self->of;
  uint64_t blocks = (uint64_t) launch->grid[0] * launch->grid[1],
           threads = (uint64_t) launch->block[0] * launch->block[1];

  return !__builtin_mul_overflow (blocks, launch->grid[2], &self->n_blocks) &&
         !__builtin_mul_overflow (threads, launch->block[2], &self->n_threads);
}

static TtCuResult
launch_woven (const TtRecordLaunch *launch,
              TtRecordKernel *kernel,
              TtRecordPlan *plan,
              TtCuResult (*call) (void *data, void **params, void **extra),
              void *data)
{
  const Driver *cuda = driver ();
  Buffers self = { .of = launch, .plan = plan };
  double at[4];
  TtCuResult result;

  if (cuda == NULL || !measure_launch (&self))
    return INVALID_VALUE;
  if (launch->is_node || is_captured (cuda, launch->stream))
    return launch_into_graph (cuda, &self, kernel, call, data);
  at[0] = tt_record_seconds ();
  log_launch (launch);
  result = hand_out (cuda, &self);
  if (result == 0)
    result = cuda->synchronize ();
  at[1] = tt_record_seconds ();
  if (result == 0)
    result = call_with_table (&self, kernel, call, data);
  if (result == 0)
    result = cuda->synchronize ();
  at[2] = tt_record_seconds ();
  if (result == 0)
    {
      log_areas (&self);
      save (cuda, &self);
    }
  else
    tt_record_note ("[exec] failed %d", result);
  release (cuda, &self);
  at[3] = tt_record_seconds ();
  if (result == 0)
    log_times (at);
  return result;
}

TtCuResult
tt_record_launch (const TtRecordLaunch *launch,
                  TtCuResult (*call) (void *data, void **params, void **extra),
                  void *data)
{
  TtRecordPlan *plan = NULL;
  TtRecordKernel *kernel;
  TtCuResult result;

  if (tt_record_inside)
    return call (data, launch->params, launch->extra);
  tt_record_lock ();
  kernel = tt_record_find (launch->function, &plan);
  tt_record_inside = 1;
  result = kernel == NULL ? 0 : launch_woven (launch, kernel, plan, call, data);
  tt_record_inside = 0;
  tt_record_unlock ();
  return kernel == NULL ? call (data, launch->params, launch->extra) : result;
}
