/* SPDX-License-Identifier: Apache-2.0 */
/* The subscriber: functions that the framework calls (pi.md 14). */
#include "formats/pi/recorder/call.h"
#include "formats/pi/recorder/fork.h"
#include "formats/pi/recorder/framework.h"
#include "formats/pi/recorder/graph.h"
#include "formats/pi/recorder/release.h"
#include "formats/pi/recorder/session.h"

#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__ ((visibility ("default")))

enum
{
  FUNCTION_WITH_ARGS_BEGIN = 28,
  FUNCTION_WITH_ARGS_END = 31,
  FUNCTION_WITH_ARGS_END_2025 = 29, /* runtimes since 2025 */
};

typedef void (*Callback) (uint16_t, void *, void *, uint64_t, const void *);

EXPORT void xptiTraceInit (unsigned major, unsigned minor, const char *version, const char *stream);
EXPORT void xptiTraceFinish (const char *stream);

static void
on_pi_begin (uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
  tt_record_check_fork ();
  tt_record_begin (TT_PI_API_PI, instance, data);
}

static void
on_pi_end (uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
  tt_record_check_fork ();
  tt_record_end (TT_PI_API_PI, instance, data);
}

static void
on_ur_begin (uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
  tt_record_check_fork ();
  tt_record_begin (TT_PI_API_UR, instance, data);
}

static void
on_ur_end (uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
  tt_record_check_fork ();
  tt_record_end (TT_PI_API_UR, instance, data);
}

static void
on_graph (uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
  tt_record_graph (type, event);
}

static void
on_nothing (uint16_t type, void *parent, void *event, uint64_t instance, const void *data)
{
}

static const struct
{
  const char *stream;
  uint16_t type;
  Callback callback;
} wanted[] = {
  { "sycl.pi.debug", FUNCTION_WITH_ARGS_BEGIN, on_pi_begin },
  { "sycl.pi.debug", FUNCTION_WITH_ARGS_END, on_pi_end },
  { "sycl.pi.debug", FUNCTION_WITH_ARGS_END_2025, on_pi_end },
  { "sycl.pi.arg", FUNCTION_WITH_ARGS_BEGIN, on_pi_begin }, /* its name in spring 2021 */
  { "sycl.pi.arg", FUNCTION_WITH_ARGS_END, on_pi_end },
  { "sycl.pi.arg", FUNCTION_WITH_ARGS_END_2025, on_pi_end },
  { "ur.call", FUNCTION_WITH_ARGS_BEGIN, on_ur_begin },
  { "ur.call", FUNCTION_WITH_ARGS_END, on_ur_end },
  { "ur.call", FUNCTION_WITH_ARGS_END_2025, on_ur_end },
  { "sycl", 4, on_graph },
  { "sycl", 6, on_graph },
  { "sycl", 10, on_graph },
  { "sycl", 11, on_graph },
};

static void
set_up (void)
{
  if (tt_recorder.is_on || !tt_record_set_up ())
    return;
  if (tt_recorder.format != TT_RECORD_NOTHING)
    tt_record_watch_forks ();
  tt_recorder.is_on = true;
}

/* The other formats do not say the API: a function of UR would be read as the one of PI with its id. */
static bool
is_recordable (const char *stream)
{
  static bool warned;

  if (tt_recorder.format == TT_RECORD_NATIVE || tt_recorder.format == TT_RECORD_NOTHING ||
      strcmp (stream, "ur.call") != 0)
    return true;
  if (!warned)
    fprintf (stderr, "tracetool: calls of the Unified Runtime are only recorded with '--format native'\n");
  warned = true;
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
  if (strcmp (stream, "ur.call") == 0)
    tt_record_release_version (major, minor);
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    if (strcmp (wanted[i].stream, stream) == 0)
      {
        set_up ();
        if (tt_recorder.is_on && is_recordable (stream))
          register_callback (register_stream (stream), wanted[i].type,
                             tt_recorder.format == TT_RECORD_NOTHING ? on_nothing : wanted[i].callback);
      }
}

static void
finish_graph (void)
{
  if (tt_recorder.base[0] != '\0')
    tt_record_graph_finish ();
}

void
xptiTraceFinish (const char *stream)
{
  if (stream != NULL && strcmp (stream, "sycl") == 0)
    finish_graph ();
}

/* Frameworks of 2021 do not always call xptiTraceFinish(). */
__attribute__ ((destructor)) static void
on_unload (void)
{
  finish_graph ();
}
