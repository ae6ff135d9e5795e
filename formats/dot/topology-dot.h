/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A picture of a topology of NCCL: what hangs on what, and NVLinks between devices.
 */
#pragma once

#include "formats/nccl/xml.h"
#include "src/base/output.h"

void tt_topology_dot_write (const TtNcclXml *xml, TtOutput *out);
