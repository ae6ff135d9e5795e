/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Native groups that importers give and analyzers go by.
 */
#pragma once

/* Negotiations of a job, which Horovod's coordinator alone tells: no nodes of graphs and of the job's
 * model, which go by what every rank tells. */
#define TT_GROUP_NEGOTIATION "Negotiation"
