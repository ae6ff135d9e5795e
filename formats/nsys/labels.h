/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an export says of programs, threads, devices, streams and of itself, beside the events. After the events: only
 * what has some gets a label.
 */
#pragma once

#include "formats/nsys/session.h"

gboolean tt_nsys_read_labels (TtNsys *self, GError **error);
