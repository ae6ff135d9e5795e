/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tensorflow/lane-roles.h"

#include "src/base/slots.h"
#include "src/base/text-ids.h"

#include <string.h>

#define NO_DEVICE TT_TF_NO_DEVICE

G_STATIC_ASSERT (sizeof (TtTfDevice) == 32);

void
tt_tf_lane_roles_init (TtTfLaneRoles *self)
{
  *self = (TtTfLaneRoles){ .roles.row_size = sizeof (TtTfLaneRole), .devices.row_size = sizeof (TtTfDevice) };
}

void
tt_tf_lane_roles_clear (TtTfLaneRoles *self)
{
  tt_id_table_clear (&self->roles);
  tt_id_table_clear (&self->devices);
}

gboolean
tt_tf_lane_roles_check (const TtTfLaneRoles *self, GError **error)
{
  return tt_id_table_check (&self->roles, error) && tt_id_table_check (&self->devices, error);
}

TtTfDevice *
tt_tf_device (TtTfLaneRoles *self, guint32 number)
{
  return tt_id_table_at (&self->devices, number);
}

TtTfLaneRole *
tt_tf_lane_role (TtTfLaneRoles *self, guint32 lane)
{
  return tt_id_table_at (&self->roles, lane);
}

/* "job:worker/task:1/gpu:2" -> 2 */
static guint32
index_of (const char *name)
{
  const char *colon = strrchr (name, ':');
  guint64 index = 0;

  if (colon == NULL || !g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXINT32, &index, NULL))
    return G_MAXUINT32;
  return (guint32) index;
}

static guint32
device_of (TtTfLaneRoles *self, TtTextIds *numbers, const char *name)
{
  gsize len = strlen (name);
  guint32 number = tt_text_ids_find (numbers, 0, name, len);

  if (number == 0)
    {
      number = ++self->n_devices;
      tt_text_ids_add (numbers, 0, name, len, number);
      *tt_tf_device (self, number - 1) = (TtTfDevice){ .number = NO_DEVICE, .index = index_of (name), .run = -1 };
    }
  return number - 1;
}

gboolean
tt_tf_device_is_cpu (const TtTfDevice *device)
{
  return device->chosen == TT_TF_LANE_CPU;
}

static gboolean
has_line (const TtTfDevice *device, TtTfLaneKind kind)
{
  return (device->lines & 1u << kind) != 0;
}

/* What of each device carries operators: see the header. Old timelines call the host side of a GPU's operators
 * "/job:.../gpu:0" and its streams "/gpu:0": the host side counts only where no GPU at all has streams. */
static void
choose_lines (TtTfLaneRoles *self, GError **error)
{
  g_autoptr (TtSlots) seen = tt_slots_new ();
  gboolean has_streams = FALSE, has_launch = FALSE;

  self->has_indexes = TRUE;
  for (guint32 i = 0; i < self->n_devices; i++)
    {
      const TtTfDevice *device = tt_tf_device (self, i);
      has_streams |= has_line (device, TT_TF_LANE_ALL) || has_line (device, TT_TF_LANE_STREAM) ||
                     has_line (device, TT_TF_LANE_OPS);
      has_launch |= has_line (device, TT_TF_LANE_LAUNCH);
    }
  for (guint32 i = 0; i < self->n_devices; i++)
    {
      TtTfDevice *device = tt_tf_device (self, i);
      if (has_line (device, TT_TF_LANE_OPS))
        device->chosen = TT_TF_LANE_OPS;
      else if (has_line (device, TT_TF_LANE_ALL))
        device->chosen = TT_TF_LANE_ALL;
      else if (has_line (device, TT_TF_LANE_STREAM))
        device->chosen = TT_TF_LANE_STREAM;
      else if (has_line (device, TT_TF_LANE_LAUNCH) && !has_streams)
        device->chosen = TT_TF_LANE_LAUNCH;
      else if (has_line (device, TT_TF_LANE_CPU) && !has_streams && !has_launch)
        device->chosen = TT_TF_LANE_CPU;
      else
        continue;
      device->number = self->n_operator_devices++;
      guint64 name = tt_slots_mix ((guint64) tt_tf_device_is_cpu (device) << 32 | device->index);
      self->has_indexes &= device->index != G_MAXUINT32 && tt_slots_find (seen, name, &(TtSlotCursor){ 0 }) == 0;
      tt_slots_add (seen, name, 1);
    }
  if (*error == NULL)
    tt_slots_check (seen, error);
}

void
tt_tf_lane_roles_find (TtTfLaneRoles *self, TtTraceLanes *lanes, GError **error)
{
  g_autoptr (TtTextIds) numbers = tt_text_ids_new ();
  guint32 n = tt_trace_lanes_count (lanes);

  if (self->is_known)
    return;
  self->is_known = TRUE;
  for (guint32 lane = 0; lane < n; lane++)
    {
      g_autofree char *device = NULL;
      TtTfLaneRole role = { .device = NO_DEVICE };

      role.kind = tt_tf_lane_kind (tt_trace_lanes_process (lanes, lane), tt_trace_lanes_thread (lanes, lane), &device);
      if (device != NULL)
        {
          role.device = device_of (self, numbers, device);
          tt_tf_device (self, role.device)->lines |= 1u << role.kind;
        }
      *tt_tf_lane_role (self, lane) = role;
    }
  choose_lines (self, error);
  if (*error == NULL)
    tt_text_ids_check (numbers, error);
}
