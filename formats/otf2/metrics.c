/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/metrics.h"

#include <math.h>

#define MODE_VALUE 15u /* how it grows: 0 accumulated */
#define ASYNCHRONOUS 2u
#define TYPE_INT 8u
#define TYPE_DOUBLE 10u

/* The class of a metric or of the class that an instance has. */
static const guint64 *
find_class (const TtOtf2Definitions *definitions, guint64 metric)
{
  const guint64 *row = tt_otf2_find (definitions, TT_OTF2_METRIC_CLASS, metric);

  if (row == NULL)
    {
      row = tt_otf2_find (definitions, TT_OTF2_METRIC_INSTANCE, metric);
      row = row == NULL ? NULL : tt_otf2_find (definitions, TT_OTF2_METRIC_CLASS, row[TT_OTF2_INSTANCE_CLASS]);
    }
  return row;
}

static guint32
find_series (TtOtf2Session *session, guint place)
{
  guint32 *series = &g_array_index (session->series, guint32, place);
  const guint64 *member = tt_otf2_row (session->definitions, TT_OTF2_METRIC_MEMBER, place);

  if (*series == TT_NO_ID)
    {
      const char *name = tt_otf2_text (session->definitions, member[TT_OTF2_NAME]);
      const char *unit = tt_otf2_text (session->definitions, member[TT_OTF2_MEMBER_UNIT]);
      g_autofree char *valid_name = g_utf8_make_valid (name == NULL || *name == '\0' ? "metric" : name, -1);
      g_autofree char *valid_unit = unit == NULL || *unit == '\0' ? NULL : g_utf8_make_valid (unit, -1);
      gboolean grows = (member[TT_OTF2_MEMBER_MODE] & MODE_VALUE) == 0;
      *series = tt_sink_series (session->sink, valid_name, valid_unit, grows);
    }
  return *series;
}

/* @value times a positive power of 2 or 10; FALSE: it does not fit. */
static gboolean
scale_whole (gint64 *value, gint64 base, gint64 exponent)
{
  for (gint64 i = 0; i < exponent && *value != 0; i++)
    if (__builtin_mul_overflow (*value, base, value))
      return FALSE;
  return TRUE;
}

/* Values are multiples of a power of 2 or 10. Whole numbers stay such where they can. */
static void
scale (const guint64 *member, guint64 type, guint64 bits, TtOtf2MetricValue *value)
{
  gint64 exponent = member[TT_OTF2_MEMBER_EXPONENT] == TT_OTF2_UNDEFINED ? 0 : (gint64) member[TT_OTF2_MEMBER_EXPONENT];
  gint64 base = member[TT_OTF2_MEMBER_BASE] == 0 ? 2 : 10;
  gboolean is_whole = type == TYPE_INT || (type != TYPE_DOUBLE && bits <= G_MAXINT64);

  value->value = (gint64) bits;
  value->is_real = !is_whole || exponent < 0 || !scale_whole (&value->value, base, exponent);
  if (!value->is_real)
    return;
  if (type == TYPE_DOUBLE)
    memcpy (&value->real, &bits, sizeof value->real);
  else
    value->real = type == TYPE_INT ? (double) (gint64) bits : (double) bits;
  value->real *= pow ((double) base, (double) exponent);
}

static void
write_counter (TtOtf2Session *session, const TtOtf2MetricValue *value, guint32 thread, gint64 ts_ns)
{
  if (value->is_real)
    tt_sink_counter_real (session->sink, value->series, thread, ts_ns, value->real);
  else
    tt_sink_counter_int (session->sink, value->series, thread, ts_ns, value->value);
}

void
tt_otf2_metrics_take (TtOtf2Metrics *self, TtOtf2Session *session, TtOtf2Event *event, guint32 thread, gint64 ts_ns)
{
  const TtOtf2Definitions *definitions = session->definitions;
  const guint64 *klass = find_class (definitions, event->values[0]);
  guint64 n_members = 0;
  const guint64 *members =
      klass == NULL ? NULL : tt_otf2_list (definitions, klass, TT_OTF2_CLASS_N, TT_OTF2_CLASS_AT, &n_members);

  if (klass == NULL)
    tt_sink_repair (session->sink, TT_REPAIR_UNKNOWN_ID, event->offset);
  for (guint64 i = 0; i < event->values[1] && event->rest.is_good && klass != NULL; i++)
    {
      guint64 type = tt_otf2_u8 (&event->rest), bits = tt_otf2_u64 (&event->rest);
      guint place = i < n_members ? tt_otf2_place (definitions, TT_OTF2_METRIC_MEMBER, members[i]) : G_MAXUINT;
      TtOtf2MetricValue value = { 0 };

      if (!event->rest.is_good || place == G_MAXUINT)
        {
          tt_sink_repair (session->sink, TT_REPAIR_BAD_COUNTER, event->offset);
          continue;
        }
      const guint64 *member = tt_otf2_row (definitions, TT_OTF2_METRIC_MEMBER, place);
      value.series = find_series (session, place);
      scale (member, type, bits, &value);
      gboolean is_of_span = klass[TT_OTF2_CLASS_OCCURRENCE] < ASYNCHRONOUS && !value.is_real &&
                            (member[TT_OTF2_MEMBER_MODE] & MODE_VALUE) == 0;
      if (is_of_span)
        g_array_append_val (self->held, value);
      else
        write_counter (session, &value, thread, ts_ns);
    }
  self->ticks = event->ticks;
  self->ts_ns = ts_ns;
  self->offset = event->offset;
}

void
tt_otf2_metrics_give (TtOtf2Metrics *self, TtOtf2Session *session, TtNestThread *nest)
{
  for (guint i = 0; i < self->held->len; i++)
    {
      const TtOtf2MetricValue *value = &g_array_index (self->held, TtOtf2MetricValue, i);
      tt_nest_metric (session->nest, nest, value->series, value->value, self->offset);
    }
  g_array_set_size (self->held, 0);
}

void
tt_otf2_metrics_let_go (TtOtf2Metrics *self, TtOtf2Session *session, guint32 thread)
{
  for (guint i = 0; i < self->held->len; i++)
    write_counter (session, &g_array_index (self->held, TtOtf2MetricValue, i), thread, self->ts_ns);
  g_array_set_size (self->held, 0);
}
