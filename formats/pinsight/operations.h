/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtConfigOperations: which operation of a trace is which event of PInsight.
 *
 * The table is data/pinsight-operations.tsv, whose head explains its columns.
 */
#pragma once

#include "formats/pinsight/domains.h"
#include "src/trace/span-filter.h"

typedef enum
{
  TT_ROLE_NONE, /* no event of PInsight */
  TT_ROLE_CALL,
  TT_ROLE_CALLEE,
  TT_ROLE_REGION,
  TT_ROLE_WORK,
  TT_ROLE_MASKED,
  TT_ROLE_INSIDE,
  TT_ROLE_BARRIER,
  TT_ROLE_WAIT,
  TT_ROLE_JOIN,
  TT_ROLE_PLAIN,
  TT_ROLE_DEVICE,
  TT_ROLE_END, /* an event without a span: the end of another's */
} TtOperationRole;

typedef struct
{
  TtOperationRole role;
  guint domain;
  guint64 events; /* on if one of them is; 0 of a call: PInsight has no such event */
} TtOperation;

typedef struct _TtConfigOperations TtConfigOperations;

TtConfigOperations *tt_config_operations_load (const TtConfigDomains *domains, GError **error);
/* The same of a text. */
TtConfigOperations *
tt_config_operations_parse (const TtConfigDomains *domains, const char *text, const char *name, GError **error);
void tt_config_operations_free (TtConfigOperations *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtConfigOperations, tt_config_operations_free)

/* What PInsight does at an event of a domain. */
TtOperationRole tt_config_operations_role (const TtConfigOperations *self, guint domain, guint event);
TtOperation tt_config_operations_find (const TtConfigOperations *self, const TtFilterName *name);
