/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/launches.h"

#include "formats/neutrino-trace/args.h"
#include "formats/neutrino-trace/lines.h"

#include <string.h>

/* What stands in a line, in order. */
enum
{
  FIELD_TAG,
  FIELD_NS,
  FIELD_SHAPE,
  FIELD_BYTES,
  FIELD_ADDRESS,
  FIELD_VARIABLE,
  FIELD_FUNCTION,
  FIELD_PLACE,
  N_FIELDS,
};

static const struct
{
  const char *key;
  guint field;
  gboolean is_number;
} members[] = {
  { "shape", FIELD_SHAPE, FALSE },
  { "bytes", FIELD_BYTES, TRUE },
  { "address", FIELD_ADDRESS, TRUE },
  { "variable", FIELD_VARIABLE, FALSE },
};

gboolean
tt_neutrino_tensors_probe (const guint8 *head, gsize len)
{
  static const char begin[] = "[call]  ";

  return len > sizeof begin && memcmp (head, begin, sizeof begin - 1) == 0 && g_ascii_isdigit (head[sizeof begin - 1]);
}

static gboolean
is_number (const char *text, guint64 most, guint64 *number)
{
  return g_ascii_string_to_unsigned (text, 10, 0, most, number, NULL);
}

static guint64
call_args (char *const *field, const TtImportOptions *options, TtSink *sink)
{
  g_autoptr (GString) json = g_string_new ("{");
  guint64 number;

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      if (!tt_neutrino_wants_key (options->args, members[i].key))
        continue;
      const char *text = field[members[i].field];
      g_string_append_printf (json, "%s\"%s\":", json->len > 1 ? "," : "", members[i].key);
      if (members[i].is_number && is_number (text, G_MAXUINT64, &number))
        g_string_append_printf (json, "%" G_GUINT64_FORMAT, number);
      else
        tt_neutrino_json_string (json, text);
    }
  if (json->len == 1)
    return 0;
  g_string_append_c (json, '}');
  return tt_sink_args (sink, json->str, json->len);
}

/* FALSE: it is no call. */
static gboolean
put_call (char *const *field,
          guint64 offset,
          const TtImportOptions *options,
          TtNest *nest,
          TtSink *sink,
          guint32 process)
{
  guint64 ns, line = 0;
  char *colon = strrchr (field[FIELD_PLACE], ':');

  if (!g_str_equal (field[FIELD_TAG], "[call]") || !is_number (field[FIELD_NS], G_MAXINT64, &ns))
    return FALSE;
  if (colon != NULL && is_number (colon + 1, G_MAXINT32, &line))
    *colon = '\0';
  const TtRawName raw = {
    .raw = field[FIELD_FUNCTION], .group = "tensor", .file = field[FIELD_PLACE], .line = (gint64) line
  };
  guint32 thread = tt_sink_thread (sink, process, "tensors", NULL, -1);
  guint64 args = call_args (field, options, sink);
  const TtNestSpan call = {
    .ts_ns = (gint64) ns, .args = args, .offset = offset, .name = tt_sink_name (sink, &raw), .step = TT_NO_STEP
  };
  tt_nest_moment (nest, tt_nest_thread (nest, thread, process), &call);
  return TRUE;
}

gboolean
tt_neutrino_put_tensors (TtInput *input, const TtImportOptions *options, TtSink *sink, guint32 process, GError **error)
{
  g_autoptr (TtNest) nest = tt_nest_new (sink);
  g_auto (TtNeutrinoLines) lines = { 0 };
  g_autoptr (GError) fault = NULL;

  tt_neutrino_lines_init (&lines, input);
  while (tt_neutrino_lines_next (&lines, &fault))
    {
      g_autofree char *text = g_utf8_make_valid (lines.text->str, -1);
      g_auto (GStrv) field = g_strsplit (text, "  ", N_FIELDS);

      if (*text == '\0')
        continue;
      for (guint i = 0; field[i] != NULL; i++)
        g_strstrip (field[i]);
      if (!lines.has_newline || lines.is_cut || g_strv_length (field) != N_FIELDS ||
          !put_call (field, lines.offset, options, nest, sink, process))
        tt_sink_repair (sink, TT_REPAIR_ODD_RECORD, lines.offset);
      if (lines.number % 1024 == 0 && !tt_sink_check (sink, tt_input_progress (input), error))
        return FALSE;
    }
  if (fault != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&fault));
      return FALSE;
    }
  tt_nest_finish (nest);
  return tt_nest_check (nest, error);
}
