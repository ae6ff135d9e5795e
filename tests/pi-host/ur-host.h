/* SPDX-License-Identifier: Apache-2.0 */
/* What ur-loader.c and ur-adapter.c share: some functions of the Unified Runtime as its newest release of version 0.12
 * has them (data/ur-tables.tsv, ur-functions.tsv), by the place in the table that an adapter gives its loader. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct
{
  uint32_t order, type;
} ImageFormat;

typedef struct
{
  uint32_t stype;
  const void *next;
  uint32_t type;
  uint64_t width, height, depth, n, row, slice;
  uint32_t n_levels, n_samples;
} ImageDesc;

_Static_assert(sizeof (ImageDesc) == 80 && offsetof (ImageDesc, row) == 56, "layout of ur_image_desc_t");

typedef struct
{
  uint32_t stype;
  const void *next;
  uint8_t is_updatable, is_in_order, takes_times;
} BufferProperties;

_Static_assert(sizeof (BufferProperties) == 24 && offsetof (BufferProperties, takes_times) == 18,
               "layout of ur_exp_command_buffer_desc_t");

#define UR_VERSION 12 /* 0.12 */
#define MAX_TABLE 64

typedef struct
{
  uint64_t x, y, z;
} Rect;

typedef struct
{
  uint32_t stype;
  const void *next;
  uint32_t flags;
} QueueProperties;

enum
{
  VALUE = 0,
  POINTER = 1,
  MEM_OBJ = 2,
};

typedef struct
{
  uint32_t stype;
  const void *next;
  uint32_t type, index;
  uint64_t size;
  union
  {
    const void *value;
    void *pointer;
    struct
    {
      void *mem;
      uint32_t flags;
    } object;
  } value;
} KernelArgument;

_Static_assert(sizeof (KernelArgument) == 48 && offsetof (KernelArgument, value) == 32, "layout of an argument");

/* table, place, name, id, parameters */
#define UR_FUNCTIONS(F)                                                                                                \
  F (Adapter, 0, AdapterGet, 172, (uint32_t, void **, uint32_t *) )                                                    \
  F (Adapter, 1, AdapterRelease, 173, (void *) )                                                                       \
  F (Platform, 0, PlatformGet, 72, (void *, uint32_t, void **, uint32_t *) )                                           \
  F (Device, 0, DeviceGet, 8, (void *, uint32_t, uint32_t, void **, uint32_t *) )                                      \
  F (Device, 1, DeviceGetInfo, 9, (void *, uint32_t, uint64_t, void *, uint64_t *) )                                   \
  F (Device, 8, DeviceGetGlobalTimestamps, 16, (void *, uint64_t *, uint64_t *) )                                      \
  F (Context, 0, ContextCreate, 1, (uint32_t, void *const *, const void *, void **) )                                  \
  F (Context, 2, ContextRelease, 3, (void *) )                                                                         \
  F (Queue, 0, QueueGetInfo, 91, (void *, uint32_t, uint64_t, void *, uint64_t *) )                                    \
  F (Queue, 1, QueueCreate, 92, (void *, void *, const QueueProperties *, void **) )                                   \
  F (Queue, 3, QueueRelease, 94, (void *) )                                                                            \
  F (Queue, 6, QueueFinish, 97, (void *) )                                                                             \
  F (Mem, 0, MemImageCreate, 63, (void *, uint32_t, const ImageFormat *, const ImageDesc *, void *, void **) )         \
  F (Mem, 1, MemBufferCreate, 64, (void *, uint32_t, uint64_t, const void *, void **) )                                \
  F (Mem, 3, MemRelease, 66, (void *) )                                                                                \
  F (USM, 1, USMDeviceAlloc, 108, (void *, void *, const void *, void *, uint64_t, void **) )                          \
  F (USM, 3, USMFree, 110, (void *, void *) )                                                                          \
  F (Program, 0, ProgramCreateWithIL, 78, (void *, const void *, uint64_t, const void *, void **) )                    \
  F (Program, 1, ProgramCreateWithBinary, 79,                                                                          \
     (void *, uint32_t, void *const *, const uint64_t *, const uint8_t *const *, const void *, void **) )              \
  F (Kernel, 0, KernelCreate, 48, (void *, const char *, void **) )                                                    \
  F (Enqueue, 3, EnqueueMemBufferWrite, 21,                                                                            \
     (void *, void *, bool, uint64_t, uint64_t, const void *, uint32_t, void *const *, void **) )                      \
  F (Enqueue, 4, EnqueueMemBufferReadRect, 22,                                                                         \
     (void *, void *, bool, Rect, Rect, Rect, uint64_t, uint64_t, uint64_t, uint64_t, void *, uint32_t, void *const *, \
      void **) )                                                                                                       \
  F (Enqueue, 5, EnqueueMemBufferWriteRect, 23,                                                                        \
     (void *, void *, bool, Rect, Rect, Rect, uint64_t, uint64_t, uint64_t, uint64_t, const void *, uint32_t,          \
      void *const *, void **) )                                                                                        \
  F (Enqueue, 9, EnqueueMemImageRead, 27,                                                                              \
     (void *, void *, bool, Rect, Rect, uint64_t, uint64_t, void *, uint32_t, void *const *, void **) )                \
  F (Enqueue, 10, EnqueueMemImageWrite, 28,                                                                            \
     (void *, void *, bool, Rect, Rect, uint64_t, uint64_t, const void *, uint32_t, void *const *, void **) )          \
  F (Enqueue, 11, EnqueueMemImageCopy, 29,                                                                             \
     (void *, void *, void *, Rect, Rect, Rect, uint32_t, void *const *, void **) )                                    \
  F (Enqueue, 19, EnqueueUSMMemcpy2D, 152,                                                                             \
     (void *, bool, void *, uint64_t, const void *, uint64_t, uint64_t, uint64_t, uint32_t, void *const *, void **) )  \
  F (Enqueue, 15, EnqueueUSMMemcpy, 33,                                                                                \
     (void *, bool, void *, const void *, uint64_t, uint32_t, void *const *, void **) )                                \
  F (EnqueueExp, 0, EnqueueKernelLaunchWithArgsExp, 295,                                                               \
     (void *, void *, uint32_t, const uint64_t *, const uint64_t *, const uint64_t *, uint32_t,                        \
      const KernelArgument *, const void *, uint32_t, void *const *, void **) )                                        \
  F (EnqueueExp, 6, EnqueueCommandBufferExp, 242, (void *, void *, uint32_t, void *const *, void **) )                 \
  F (CommandBufferExp, 0, CommandBufferCreateExp, 113, (void *, void *, const BufferProperties *, void **) )           \
  F (CommandBufferExp, 2, CommandBufferReleaseExp, 122, (void *) )                                                     \
  F (CommandBufferExp, 3, CommandBufferFinalizeExp, 123, (void *) )                                                    \
  F (Event, 0, EventGetInfo, 40, (void *, uint32_t, uint64_t, void *, uint64_t *) )                                    \
  F (Event, 1, EventGetProfilingInfo, 41, (void *, uint32_t, uint64_t, void *, uint64_t *) )                           \
  F (Event, 2, EventWait, 42, (uint32_t, void *const *) )                                                              \
  F (Event, 3, EventRetain, 43, (void *) )                                                                             \
  F (Event, 4, EventRelease, 44, (void *) )

#define UR_TABLES(T)                                                                                           \
  T (Adapter)                                                                                                  \
  T (Platform)                                                                                                 \
  T (Device)                                                                                                   \
  T (Context) T (Queue) T (Mem) T (USM) T (Program) T (Kernel) T (Enqueue) T (EnqueueExp) T (CommandBufferExp) \
      T (Event)
