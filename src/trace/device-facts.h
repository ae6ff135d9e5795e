/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the arguments of work on devices and of calls to their runtimes say. Formats read it, analyzers ask for it.
 */
#pragma once

#include "src/trace/kernel-config.h"

typedef struct
{
  TtKernelConfig config;
  /* -1: not said, here too. */
  gint64 static_bytes; /* of shared_bytes */
  gint64 copy_bytes;
  gint64 device, context, stream, correlation;
  gint64 result; /* of a call */
} TtDeviceFacts;

/* Sets all of @facts. @args: JSON of @len bytes; NULL: none. */
typedef void (*TtDeviceFactsReader) (const char *args, gsize len, TtDeviceFacts *facts);
