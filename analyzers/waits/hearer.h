/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitHearer: gets all messages and calls of collectives while waits are looked for, which would be read once more
 * otherwise.
 */
#pragma once

#include "analyzers/imbalance/calls.h"
#include "src/store/rows.h"

typedef struct
{
  TtMessageFunc on_message;
  TtCallFunc on_call;
  gpointer data;
} TtWaitHearer;
