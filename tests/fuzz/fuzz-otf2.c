/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/kept.h"
#include "formats/otf2/lanes.h"
#include "formats/otf2/location.h"
#include "formats/otf2/markers.h"
#include "formats/otf2/names.h"
#include "src/trace/sink.h"

#include <string.h>

/* Any bytes as the files of an archive: two bytes of length each for the global definitions, the local ones of a location and the
 * markers, the rest its events. The first byte says how: as they are, or behind the header of a chunk of either byte order; and whether tracetool
 * wrote them, so that attributes and properties of its own tell more. Each location has the same events. What holds: memory and rows are bounded by the bytes.
 *
 * Links: tests/fuzz/otf2-mutator.c
 * Links: tests/fuzz/no-comparisons.c
 * Options: -entropic=0 -max_len=4096
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

#define HEADER 18u
#define MAX_LOCATIONS 8u

/* The small chunk makes files of a few thousand bytes have several. */
#define CHUNK 1024u

static GBytes *
make_file (const guint8 *bytes, gsize len, guint8 choice)
{
  if ((choice & 1) != 0)
    return g_bytes_new_static (bytes, len);
  guint8 *file = g_malloc0 (HEADER + len);
  file[0] = TT_OTF2_CHUNK_HEADER;
  file[1] = (choice & 2) != 0 ? 0x23 : 0x42;
  memcpy (file + HEADER, bytes, len);
  return g_bytes_new_take (file, HEADER + len);
}

typedef struct
{
  GBytes *definitions, *local, *markers, *events;
} Files;

static gboolean
open_bytes (TtOtf2Chunks *chunks, GBytes *file)
{
  return tt_otf2_chunks_open_bytes (chunks, "fuzz", file, CHUNK, NULL);
}

static void
read_location (TtOtf2Session *session, TtOtf2Location *location, TtOtf2Chunks *chunks, const Files *files, guint place)
{
  TtOtf2Events events = { .chunks = chunks, .local = &session->local };
  TtOtf2Event event;

  tt_otf2_local_reset (&session->local);
  if (open_bytes (chunks, files->local))
    tt_otf2_local_read (&session->local, chunks, &session->sink->repairs, NULL);
  if (!open_bytes (chunks, files->events))
    return;
  tt_otf2_events_begin (&events, tt_otf2_row (session->definitions, TT_OTF2_CLOCK_PROPERTIES, 0));
  tt_otf2_location_begin (location, place);
  while (chunks->bytes.is_good && tt_otf2_chunks_next (chunks, NULL) == TT_OTF2_CHUNK)
    while (tt_otf2_events_next (&events, &event))
      tt_otf2_location_take (location, &event);
  tt_otf2_location_end (location);
}

static void
read_all (const Files *files, gboolean is_own)
{
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (NULL));
  g_autoptr (TtNest) nest = tt_nest_new (sink);
  const TtImportOptions options = { .rank = -1 };
  TtOtf2Chunks chunks = { 0 };
  TtOtf2Location location;

  tt_sink_begin_source (sink, "otf2", "fuzz", TT_CLOCK_RELATIVE);
  g_autoptr (TtOtf2Definitions) definitions = open_bytes (&chunks, files->definitions)
                                                  ? tt_otf2_definitions_read (&chunks, "fuzz", &sink->repairs, NULL)
                                                  : NULL;
  if (definitions != NULL)
    {
      TtOtf2Session session = { .sink = sink, .nest = nest, .options = &options, .definitions = definitions };
      const guint64 *clock = tt_otf2_row (definitions, TT_OTF2_CLOCK_PROPERTIES, 0);

      session.is_own = is_own;
      session.tells_roles = is_own && tt_otf2_kept_is_told (definitions);
      session.json = g_string_new (NULL);
      session.series = g_array_new (FALSE, TRUE, sizeof (guint32));
      g_array_set_size (session.series, tt_otf2_count (definitions, TT_OTF2_METRIC_MEMBER) + 1);
      tt_otf2_local_init (&session.local);
      tt_otf2_clock_init (&session.clock, clock[TT_OTF2_CLOCK_RESOLUTION], clock[TT_OTF2_CLOCK_OFFSET],
                          clock[TT_OTF2_CLOCK_REALTIME]);
      session.lanes = tt_otf2_lanes_new (&session);
      session.names = tt_otf2_names_new (&session);
      if (session.tells_roles)
        {
          tt_otf2_names_make_own (&session);
          tt_otf2_kept_read (&session);
        }
      tt_otf2_location_init (&location, &session);
      for (guint i = 0; i < MIN (tt_otf2_count (definitions, TT_OTF2_LOCATION), MAX_LOCATIONS); i++)
        read_location (&session, &location, &chunks, files, i);
      if (open_bytes (&chunks, files->markers))
        tt_otf2_markers_read (&session, &chunks, NULL);
      tt_otf2_location_clear (&location);
      tt_nest_finish (nest);
      tt_otf2_names_free (session.names);
      tt_otf2_lanes_free (session.lanes);
      tt_otf2_local_clear (&session.local);
      g_array_unref (session.series);
      g_string_free (session.json, TRUE);
    }
  tt_otf2_chunks_clear (&chunks);
  g_assert (tt_sink_finish (sink, NULL));
  g_assert (sink->n_spans + sink->n_instants + sink->n_halves <= 65536);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  gsize sizes[3];

  if (len < 7)
    return 0;
  guint8 choice = bytes[0];
  for (guint i = 0; i < 3; i++)
    sizes[i] = (gsize) bytes[1 + 2 * i] | (gsize) bytes[2 + 2 * i] << 8;
  bytes += 7;
  len -= 7;
  for (guint i = 0; i < 3; i++)
    sizes[i] = MIN (sizes[i], len - (i > 0 ? sizes[0] : 0) - (i > 1 ? sizes[1] : 0));
  const guint8 *local = bytes + sizes[0], *markers = local + sizes[1], *events = markers + sizes[2];
  Files files = { make_file (bytes, sizes[0], choice), make_file (local, sizes[1], choice),
                  make_file (markers, sizes[2], choice),
                  make_file (events, len - sizes[0] - sizes[1] - sizes[2], choice) };
  read_all (&files, (choice & 4) != 0);
  g_bytes_unref (files.definitions);
  g_bytes_unref (files.local);
  g_bytes_unref (files.markers);
  g_bytes_unref (files.events);
  return 0;
}
