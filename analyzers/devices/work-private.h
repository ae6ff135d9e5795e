/*
 * What the files of TtDeviceWork share.
 */
#pragma once

#include "analyzers/devices/work.h"

/* Beside the role in TtDeviceWork.roles: copies that block by the name of the call, or of the copy itself. */
#define TT_DEVICE_BLOCKS 0x80u

/* For tt_store_each_name(), @data: the TtDeviceWork. */
gboolean tt_device_take_name (const TtStoredName *name, gpointer data);
