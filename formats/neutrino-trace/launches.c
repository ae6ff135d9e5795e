/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/launches.h"

#include "formats/neutrino-trace/args.h"
#include "formats/neutrino-trace/lanes.h"
#include "src/base/units.h"

#define GROUP "neutrino"

typedef struct
{
  const TtImportOptions *options;
  TtSink *sink;
  guint32 process;
  TtNest *nest;
  TtNeutrinoTrack *track;
} Writer;

static const char *const outcomes[] = { "unfinished", NULL, "benchmark", "failed", "unprobed" };

/* -- arguments
 * ------------------------------------------------------------------------------------------------------- */

static gboolean
begin_member (const Writer *self, GString *json, const char *key)
{
  if (!tt_neutrino_wants_key (self->options->args, key))
    return FALSE;
  if (json->len > 1)
    g_string_append_c (json, ',');
  tt_neutrino_json_string (json, key);
  g_string_append_c (json, ':');
  return TRUE;
}

static void
add_text (const Writer *self, GString *json, const char *key, const char *text)
{
  if (text != NULL && *text != '\0' && begin_member (self, json, key))
    tt_neutrino_json_string (json, text);
}

static void
add_number (const Writer *self, GString *json, const char *key, gint64 number)
{
  if (begin_member (self, json, key))
    g_string_append_printf (json, "%" G_GINT64_FORMAT, number);
}

static void
add_size (const Writer *self, GString *json, const char *key, const guint32 size[3])
{
  if (begin_member (self, json, key))
    g_string_append_printf (json, "[%u,%u,%u]", size[0], size[1], size[2]);
}

static guint64
launch_args (const Writer *self, const TtNeutrinoLaunch *launch)
{
  g_autoptr (GString) json = g_string_new ("{");

  if (launch->has_grid)
    {
      add_size (self, json, "grid", launch->grid);
      add_size (self, json, "block", launch->block);
      add_number (self, json, "shared_bytes", launch->shared_bytes);
    }
  add_text (self, json, "params", launch->parameters);
  add_text (self, json, "result", launch->result);
  add_text (self, json, "outcome", outcomes[launch->outcome]);
  if (launch->code != 0)
    add_number (self, json, "code", launch->code);
  if (launch->record_bytes >= 0)
    add_number (self, json, "dynamic_bytes", launch->record_bytes);
  if (launch->original_ns != TT_NO_TIME)
    add_number (self, json, "original_ns", launch->original_ns);
  if (json->len == 1)
    return 0;
  g_string_append_c (json, '}');
  return tt_sink_args (self->sink, json->str, json->len);
}

/* -- launches
 * --------------------------------------------------------------------------------------------------------- */

gint64
tt_neutrino_kernel_time (const TtNeutrinoLaunch *launch)
{
  gint64 ns = launch->ts_ns;

  if (ns == TT_NO_TIME || (launch->prologue_ns != TT_NO_TIME && __builtin_add_overflow (ns, launch->prologue_ns, &ns)))
    return TT_NO_TIME;
  return ns;
}

/* Ends of prologue, kernel and epilogue; FALSE: there are none. */
static gboolean
ends_of (const TtNeutrinoLaunch *launch, gint64 end_ns[3])
{
  return launch->kernel_ns != TT_NO_TIME && !__builtin_add_overflow (launch->ts_ns, launch->prologue_ns, &end_ns[0]) &&
         !__builtin_add_overflow (end_ns[0], launch->kernel_ns, &end_ns[1]) &&
         !__builtin_add_overflow (end_ns[1], launch->epilogue_ns, &end_ns[2]);
}

static guint32
name_of (const Writer *self, const TtNeutrinoLaunch *launch, const char *op_cat, const char *part)
{
  const TtRawName raw = {
    .raw = launch->kernel == NULL ? "kernel" : launch->kernel, .group = GROUP, .op_cat = op_cat, .sub_op = part
  };

  return tt_sink_name (self->sink, &raw);
}

static void
put_launch (const Writer *self, const TtNeutrinoLaunch *launch)
{
  static const char *const cats[] = { "RT", "COMP", "RT" }, *const parts[] = { "prologue", NULL, "epilogue" };
  gint64 end_ns[3];
  gboolean crosses;
  guint64 args = launch_args (self, launch);
  TtNestSpan span = { .ts_ns = launch->ts_ns, .offset = launch->offset, .step = TT_NO_STEP };

  if (!ends_of (launch, end_ns))
    {
      guint32 track = tt_neutrino_track_thread (self->track);
      span.name = name_of (self, launch, "COMP", NULL);
      span.args = args;
      tt_nest_moment (self->nest, tt_nest_thread (self->nest, track, self->process), &span);
      return;
    }
  guint32 lane = tt_neutrino_track_place (self->track, span.ts_ns, end_ns[2], &crosses);
  TtNestThread *thread = tt_nest_thread (self->nest, lane, self->process);
  span.flags = launch->is_guess ? TT_FLAG_INFERRED : 0;
  span.end_ns = end_ns[2];
  span.name = name_of (self, launch, "RT", "launch");
  tt_nest_span (self->nest, thread, &span);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      span.end_ns = end_ns[i];
      span.name = name_of (self, launch, cats[i], parts[i]);
      span.args = i == 1 ? args : 0;
      tt_nest_span (self->nest, thread, &span);
      span.ts_ns = end_ns[i];
    }
}

gboolean
tt_neutrino_put_launches (const TtNeutrinoLog *log,
                          const TtImportOptions *options,
                          TtSink *sink,
                          guint32 process,
                          GError **error)
{
  g_autoptr (TtNeutrinoLanes) lanes = tt_neutrino_lanes_new (sink, process);
  g_autoptr (TtNest) nest = tt_nest_new (sink);
  const Writer self = { .options = options,
                        .sink = sink,
                        .process = process,
                        .nest = nest,
                        .track = tt_neutrino_lanes_track (lanes, "launches", 0) };

  for (guint i = 0; i < log->launches->len; i++)
    {
      const TtNeutrinoLaunch *launch = log->launches->pdata[i];

      if (launch->ts_ns == TT_NO_TIME)
        tt_sink_repair (sink, TT_REPAIR_NO_TIME, launch->offset);
      else
        put_launch (&self, launch);
      if (i % 1024 == 0 && (!tt_sink_check (sink, 0, error) || !tt_nest_check (nest, error)))
        return FALSE;
    }
  tt_nest_finish (nest);
  return tt_nest_check (nest, error) && tt_sink_check (sink, 0, error);
}
