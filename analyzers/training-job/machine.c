/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/machine.h"

/* -- links that were traced ---------------------------------------------------------------------------------------- */

/* What the files of NCCL say of a link is what it can do at most, and protocols leave a part of it. Where less was seen,
 * something else is slow. */
#define TOLD_LEAST 0.6
#define TOLD_MOST 1.15

gboolean
tt_job_machine_contradicts (const TtLinkModel *link, double told)
{
  return told > 0 && link->limit_bytes_per_ns == 0 && link->sharing != TT_LINK_OF_CHANNEL &&
         (link->bytes_per_ns < TOLD_LEAST * told || link->bytes_per_ns > TOLD_MOST * told);
}

/* Links that are known, and what a channel moves over them at most, instead of links that each channel has. */
void
tt_job_machine_limit_channels (TtLinkModel *link, double told, TtLinkSharing sharing)
{
  if (told <= 0 || link->sharing != TT_LINK_OF_CHANNEL)
    return;
  link->sharing = sharing;
  link->limit_bytes_per_ns = MIN (link->bytes_per_ns, told);
  link->bytes_per_ns = told;
}

/* -- links that were not ------------------------------------------------------------------------------------------- */

/* Of rings and the protocol Simple in hwLatencies of graph/tuning.cc. */
#define NVLINK_NS 3400
#define PCI_NS 5700
#define NET_NS 14000

/* They are as the machine has them, or like the others. */
static void
suppose_link (TtLinkModel *link, const TtLinkModel *other, double told, double latency_ns, TtLinkSharing sharing)
{
  *link = *other;
  if (told > 0)
    *link = (TtLinkModel){ latency_ns, told, sharing, 0 };
}

void
tt_job_machine_suppose (const TtJobMachine *machine, gboolean has_within, gboolean has_between, TtNetworkModel *model)
{
  gboolean is_nvlink = machine != NULL && machine->within == TT_MACHINE_NVL;

  if (!has_within)
    suppose_link (&model->within, &model->between, machine != NULL ? machine->within_bytes_per_ns : 0,
                  is_nvlink ? NVLINK_NS : PCI_NS, is_nvlink ? TT_LINK_OF_PORT : TT_LINK_OF_HOST);
  if (!has_between)
    suppose_link (&model->between, &model->within, machine != NULL ? machine->between_bytes_per_ns : 0, NET_NS,
                  TT_LINK_OF_PORT);
}
