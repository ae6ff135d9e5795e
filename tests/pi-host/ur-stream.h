/* SPDX-License-Identifier: Apache-2.0 */
/* The stream `ur.call` of a framework of XPTI, as a loader of the Unified Runtime opens it when it is to be traced. */
#pragma once

#include "pi-host.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static int (*notify) (uint8_t, uint16_t, void *, void *, uint64_t, const void *); /* NULL: nobody listens */
static uint8_t stream;

static void *
symbol (void *library, const char *name)
{
  void *found = dlsym (library, name);

  if (found == NULL)
    exit (90);
  return found;
}

/* @minor: of the version 0.@minor. */
static void
load_framework (uint32_t minor)
{
  const char *dispatcher = getenv ("XPTI_FRAMEWORK_DISPATCHER"), *layers = getenv ("UR_ENABLE_LAYERS");

  if (dispatcher == NULL || layers == NULL || strstr (layers, "UR_LAYER_TRACING") == NULL)
    return;
  void *framework = dlopen (dispatcher, RTLD_LAZY);
  if (framework == NULL)
    exit (90);
  notify =
      (int (*) (uint8_t, uint16_t, void *, void *, uint64_t, const void *)) symbol (framework, "xptiNotifySubscribers");
  ((void (*) (void)) symbol (framework, "xptiFrameworkInitialize")) ();
  ((void (*) (const char *, uint32_t, uint32_t, const char *)) symbol (framework, "xptiInitialize")) ("ur.call", 0,
                                                                                                      minor, "");
  stream = ((uint8_t (*) (const char *)) symbol (framework, "xptiRegisterStream")) ("ur.call");
}
