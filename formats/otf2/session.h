/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Session: what the parts of the importer share while an archive is read.
 *
 *   anchor, definitions   what the archive says of itself
 *   lanes                 its location groups and locations as processes and threads
 *   names                 its regions as names
 *   location              one location's events: spans, messages, collectives, metrics
 */
#pragma once

#include "formats/format.h"
#include "formats/otf2/anchor.h"
#include "formats/otf2/clock.h"
#include "formats/otf2/definitions.h"
#include "formats/otf2/events.h"

typedef struct _TtOtf2Lanes TtOtf2Lanes;
typedef struct _TtOtf2Names TtOtf2Names;

typedef struct
{
  TtSink *sink;
  TtNest *nest;
  const TtImportOptions *options;
  const TtOtf2Anchor *anchor;
  const TtOtf2Definitions *definitions;
  TtOtf2Lanes *lanes;
  TtOtf2Names *names;
  gboolean is_own;      /* tracetool wrote it: see formats/otf2-export */
  gboolean tells_roles; /* and the archive tells what has to do with a device: see kept.h */
  GString *json;        /* arguments of one event at a time */
  GArray *series;       /* of guint32, by place of metric members; TT_NO_ID: not yet */
  TtOtf2Local local;    /* of the location that is read */
  TtOtf2Clock clock;
} TtOtf2Session;
