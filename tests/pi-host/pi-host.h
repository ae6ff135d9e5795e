/* SPDX-License-Identifier: Apache-2.0 */
/* What the program, its plugin and its framework share: the ABI of the runtime of summer 2021. See README.md. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define STATIC_ASSERT static_assert
#else
#define STATIC_ASSERT _Static_assert
#endif

#define N_FUNCTIONS 104

typedef struct
{
  char host_version[4], plugin_version[4];
  char *targets;
  void *functions[N_FUNCTIONS];
} Plugin;

STATIC_ASSERT (offsetof (Plugin, functions) == 16 && sizeof (Plugin) == 848, "layout of the plugin structure");

typedef struct
{
  uint32_t function_id;
  const char *function_name;
  void *args_data, *ret_data, *user_data;
} Payload;

STATIC_ASSERT (offsetof (Payload, function_name) == 8 && offsetof (Payload, args_data) == 16 &&
                   offsetof (Payload, ret_data) == 24 && offsetof (Payload, user_data) == 32 && sizeof (Payload) == 40,
               "layout of function_with_args");

typedef struct
{
  void *address;
  const char *name;
  uint64_t size;
  int32_t flags, reserved;
} OffloadEntry;

typedef struct
{
  const char *name;
  const void *value;
  uint32_t type;
  uint64_t size;
} Property;

typedef struct
{
  const char *name;
  const Property *begin, *end;
} PropertySet;

typedef struct
{
  uint16_t version;
  uint8_t kind, format;
  const char *target, *compile_options, *link_options, *manifest_begin, *manifest_end;
  const uint8_t *begin, *end;
  const OffloadEntry *entries_begin, *entries_end;
  const PropertySet *sets_begin, *sets_end;
} DeviceBinary;

STATIC_ASSERT (offsetof (DeviceBinary, target) == 8 && offsetof (DeviceBinary, begin) == 48 &&
                   offsetof (DeviceBinary, entries_begin) == 64 && offsetof (DeviceBinary, sets_begin) == 80 &&
                   sizeof (DeviceBinary) == 96,
               "layout of pi_device_binary_struct");

typedef struct
{
  uint64_t unique_id, data_id, instance_id;
  uint16_t event_type, activity;
  uint32_t unused;
  int64_t source_id, target_id;
} EventData;

STATIC_ASSERT (offsetof (EventData, source_id) == 32 && offsetof (EventData, target_id) == 40,
               "layout of trace_event_data");

/* Ids of summer 2021 that program and plugin use. */
#define FUNCTIONS(F)                         \
  F (piPlatformsGet, 0)                      \
  F (piPlatformGetInfo, 1)                   \
  F (piDevicesGet, 4)                        \
  F (piDeviceGetInfo, 5)                     \
  F (piDeviceRetain, 7)                      \
  F (piDeviceRelease, 8)                     \
  F (piextDeviceSelectBinary, 9)             \
  F (piContextCreate, 13)                    \
  F (piContextRelease, 16)                   \
  F (piQueueCreate, 20)                      \
  F (piQueueGetInfo, 21)                     \
  F (piQueueFinish, 22)                      \
  F (piQueueRetain, 23)                      \
  F (piQueueRelease, 24)                     \
  F (piMemBufferCreate, 27)                  \
  F (piMemImageCreate, 28)                   \
  F (piMemRelease, 32)                       \
  F (piProgramCreate, 36)                    \
  F (piProgramBuild, 41)                     \
  F (piProgramRelease, 45)                   \
  F (piextProgramCreateWithNativeHandle, 48) \
  F (piKernelCreate, 49)                     \
  F (piKernelSetArg, 50)                     \
  F (piKernelGetInfo, 51)                    \
  F (piKernelGetGroupInfo, 52)               \
  F (piKernelRelease, 55)                    \
  F (piEventGetInfo, 61)                     \
  F (piEventGetProfilingInfo, 62)            \
  F (piEventsWait, 63)                       \
  F (piEventRetain, 66)                      \
  F (piEventRelease, 67)                     \
  F (piEnqueueKernelLaunch, 74)              \
  F (piEnqueueMemBufferRead, 78)             \
  F (piEnqueueMemBufferReadRect, 79)         \
  F (piEnqueueMemBufferWrite, 80)            \
  F (piEnqueueMemBufferWriteRect, 81)        \
  F (piEnqueueMemImageRead, 85)              \
  F (piEnqueueMemImageWrite, 86)             \
  F (piEnqueueMemImageCopy, 87)              \
  F (piEnqueueMemBufferMap, 89)              \
  F (piEnqueueMemUnmap, 90)                  \
  F (piextUSMHostAlloc, 91)                  \
  F (piextUSMDeviceAlloc, 92)                \
  F (piextUSMSharedAlloc, 93)                \
  F (piextUSMFree, 94)                       \
  F (piextUSMEnqueueMemset, 95)              \
  F (piextUSMEnqueueMemcpy, 96)              \
  F (piextKernelSetArgMemObj, 100)           \
  F (piTearDown, 103)

enum
{
#define AN_ID(name, id) ID_##name = id,
  FUNCTIONS (AN_ID)
#undef AN_ID
};
