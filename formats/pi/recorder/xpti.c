/* What the framework calls: pi.md 14. */
#define _GNU_SOURCE
#include "formats/pi/recorder/recorder.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT __attribute__ ((visibility ("default")))

enum
{
  FUNCTION_WITH_ARGS_BEGIN = 28,
  FUNCTION_WITH_ARGS_END = 31,
};

typedef void (*Callback) (uint16_t, void *, void *, uint64_t, const void *);

EXPORT void xptiTraceInit (unsigned major, unsigned minor, const char *version, const char *stream);
EXPORT void xptiTraceFinish (const char *stream);

/* The dispatcher is in the process; a framework that loads it for itself alone has it found by its name. */
void *
tt_record_framework (const char *name)
{
  void *found = dlsym (RTLD_DEFAULT, name);
  const char *dispatcher = getenv ("XPTI_FRAMEWORK_DISPATCHER");

  if (found == NULL && dispatcher != NULL)
    {
      void *library = dlopen (dispatcher, RTLD_LAZY | RTLD_NOLOAD);
      if (library != NULL)
        {
          found = dlsym (library, name);
          dlclose (library);
        }
    }
  return found;
}

static void
pi_begin (uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
  tt_record_begin (TT_PI_API_PI, instance, data);
}

static void
pi_end (uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
  tt_record_end (TT_PI_API_PI, instance, data);
}

static void
ur_begin (uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
  tt_record_begin (TT_PI_API_UR, instance, data);
}

static void
ur_end (uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
  tt_record_end (TT_PI_API_UR, instance, data);
}

static void
graph (uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
  tt_record_graph (type, event);
}

static const struct
{
  const char *stream;
  uint16_t type;
  Callback callback;
} wanted[] = {
  { "sycl.pi.debug", FUNCTION_WITH_ARGS_BEGIN, pi_begin },
  { "sycl.pi.debug", FUNCTION_WITH_ARGS_END, pi_end },
  { "sycl.pi.arg", FUNCTION_WITH_ARGS_BEGIN, pi_begin }, /* its name in spring 2021 */
  { "sycl.pi.arg", FUNCTION_WITH_ARGS_END, pi_end },
  { "ur.call", FUNCTION_WITH_ARGS_BEGIN, ur_begin },
  { "ur.call", FUNCTION_WITH_ARGS_END, ur_end },
  { "sycl", 4, graph },
  { "sycl", 6, graph },
  { "sycl", 10, graph },
  { "sycl", 11, graph },
};

static uint64_t
nanoseconds (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static void
set_up (void)
{
  const char *format = getenv ("TRACETOOL_PI_FORMAT"), *skip = getenv ("DPCPP_TRACE_SKIP_MEM_OBJECTS");

  if (tt_recorder.is_on || getenv ("DPCPP_TRACE_DATA_PATH") == NULL)
    return;
  tt_recorder.zero_monotonic_ns = nanoseconds (CLOCK_MONOTONIC);
  tt_recorder.zero_wall_ns = nanoseconds (CLOCK_REALTIME);
  tt_recorder.skip_memory = skip != NULL && strcmp (skip, "0") != 0;
  if (format != NULL && strcmp (format, "g3") == 0)
    tt_recorder.format = TT_RECORD_G3;
  else if (format != NULL && strcmp (format, "doc") == 0)
    tt_recorder.format = TT_RECORD_DOC;
  tt_record_watch_forks ();
  pthread_atfork (NULL, NULL, tt_record_after_fork);
  tt_recorder.is_on = true;
}

/* The old formats have no place for the API: a function of UR would be read as the one of PI that has its id. */
static bool
has_place (const char *stream)
{
  static bool told;

  if (tt_recorder.format == TT_RECORD_NATIVE || strcmp (stream, "ur.call") != 0)
    return true;
  if (!told)
    fprintf (stderr, "tracetool: calls of the Unified Runtime are only recorded with '--format native'\n");
  told = true;
  return false;
}

void
xptiTraceInit (unsigned major, unsigned minor, const char *version, const char *stream)
{
  uint8_t (*register_stream) (const char *) = (uint8_t (*) (const char *)) tt_record_framework ("xptiRegisterStream");
  int (*register_callback) (uint8_t, uint16_t, Callback) =
      (int (*) (uint8_t, uint16_t, Callback)) tt_record_framework ("xptiRegisterCallback");

  if (stream == NULL || register_stream == NULL || register_callback == NULL)
    return;
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    if (strcmp (wanted[i].stream, stream) == 0)
      {
        set_up ();
        if (tt_recorder.is_on && has_place (stream))
          register_callback (register_stream (stream), wanted[i].type, wanted[i].callback);
      }
}

static void
finish (void)
{
  if (tt_recorder.base[0] != '\0')
    tt_record_graph_finish ();
}

void
xptiTraceFinish (const char *stream)
{
  if (stream != NULL && strcmp (stream, "sycl") == 0)
    finish ();
}

/* Frameworks of 2021 do not always say that they finish. */
__attribute__ ((destructor)) static void
leave (void)
{
  finish ();
}
