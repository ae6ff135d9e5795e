/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTfLaneRoles: which device each lane of a timeline belongs to, and which of a device's lanes carry its operators
 * (timeline.h says which). Found once all lanes have their names.
 */
#pragma once

#include "formats/tensorflow/devices.h"
#include "formats/trace-event/trace-lanes.h"
#include "src/base/id-table.h"

#define TT_TF_NO_DEVICE G_MAXUINT32

typedef struct
{
  TtTfLaneKind kind;
  guint32 device; /* or TT_TF_NO_DEVICE */
} TtTfLaneRole;

typedef struct
{
  guint32 lines; /* bits 1 << TtTfLaneKind */
  TtTfLaneKind chosen;
  guint32 number; /* among those with operators; TT_TF_NO_DEVICE: it has none */
  guint32 index;  /* that its name ends with */
  gint32 run;     /* that began last on it */
  guint32 unused[3];
} TtTfDevice;

typedef struct
{
  TtIdTable roles;   /* of TtTfLaneRole, by lane */
  TtIdTable devices; /* of TtTfDevice */
  guint32 n_devices, n_operator_devices;
  gboolean is_known, has_indexes; /* no two devices with operators have one index */
} TtTfLaneRoles;

void tt_tf_lane_roles_init (TtTfLaneRoles *self);
void tt_tf_lane_roles_clear (TtTfLaneRoles *self);
gboolean tt_tf_lane_roles_check (const TtTfLaneRoles *self, GError **error);

/* Once; later calls do nothing. *@error: one that is there already stays. */
void tt_tf_lane_roles_find (TtTfLaneRoles *self, TtTraceLanes *lanes, GError **error);

/* Never NULL. */
TtTfLaneRole *tt_tf_lane_role (TtTfLaneRoles *self, guint32 lane);
TtTfDevice *tt_tf_device (TtTfLaneRoles *self, guint32 number);
gboolean tt_tf_device_is_cpu (const TtTfDevice *device);
