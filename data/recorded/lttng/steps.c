/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program whose events begin and end things under names of its own, for sessions that leave several directories.
 *
 *   gcc -O1 -I. -DLTTNG_UST_TRACEPOINT_CREATE_PROBES -DLTTNG_UST_TRACEPOINT_DEFINE -o steps steps.c -llttng-ust -ldl
 *   lttng create rotated --output=DIR          or lttng create snapshots --snapshot --output=DIR
 *   lttng enable-channel -u c --subbuf-size=4096 --num-subbuf=4 && lttng enable-event -u -c c 'steps:*'
 *   lttng add-context -u -c c -t vpid -t vtid && lttng start
 *   taskset -c 0 ./steps 60 & sleep 0.1; lttng rotate       or lttng snapshot record, every 0.1 s
 *   lttng destroy
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER steps
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "steps.c"

#if !defined(STEPS_C) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define STEPS_C
#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_ENUM (steps,
                           parts,
                           LTTNG_UST_TP_ENUM_VALUES (lttng_ust_field_enum_value ("READ", 0)
                                                         lttng_ust_field_enum_value ("SOLVE", 1)
                                                             lttng_ust_field_enum_range ("WRITE", 2, 3)))

LTTNG_UST_TRACEPOINT_EVENT (steps,
                            step_start,
                            LTTNG_UST_TP_ARGS (int, n),
                            LTTNG_UST_TP_FIELDS (lttng_ust_field_integer (int, n, n)))
LTTNG_UST_TRACEPOINT_EVENT (steps,
                            step_stop,
                            LTTNG_UST_TP_ARGS (int, n),
                            LTTNG_UST_TP_FIELDS (lttng_ust_field_integer (int, n, n)))
LTTNG_UST_TRACEPOINT_EVENT (steps,
                            In,
                            LTTNG_UST_TP_ARGS (int, n),
                            LTTNG_UST_TP_FIELDS (lttng_ust_field_enum (steps, parts, int, part, n)))
LTTNG_UST_TRACEPOINT_EVENT (steps,
                            Out,
                            LTTNG_UST_TP_ARGS (int, n),
                            LTTNG_UST_TP_FIELDS (lttng_ust_field_enum (steps, parts, int, part, n)))
#endif

#include <lttng/tracepoint-event.h>

#if defined(LTTNG_UST_TRACEPOINT_DEFINE) && !defined(STEPS_MAIN)
#define STEPS_MAIN
#include <stdlib.h>
#include <unistd.h>

/* A step every 5 ms, with a part of 2 ms in it. */
int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 60;

  for (int i = 0; i < n; i++)
    {
      lttng_ust_tracepoint (steps, step_start, i);
      lttng_ust_tracepoint (steps, In, i % 4);
      usleep (2000);
      lttng_ust_tracepoint (steps, Out, i % 4);
      usleep (3000);
      lttng_ust_tracepoint (steps, step_stop, i);
    }
  return 0;
}
#endif
