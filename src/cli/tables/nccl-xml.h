/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of the XML files of NCCL, and their channels as connections.
 */
#pragma once

#include "formats/nccl/xml.h"
#include "graphs/nccl/nccl.h"
#include "src/base/report/fields.h"

/* Graphs: a row a channel. @problems (of char *) gets what does not fit together. */
TtReport *tt_nccl_xml_channel_table (const TtNcclXml *xml, GPtrArray *problems, const TtReportView *view);
/* A topology: a row an element; indented for people. */
TtReport *tt_nccl_xml_topology_table (const TtNcclXml *xml, const TtReportView *view);
/* The first ring and the first tree among the graphs, joined: ranks are the numbers of devices. */
TtNccl *tt_nccl_xml_connections (const TtNcclXml *xml, GPtrArray *problems);
