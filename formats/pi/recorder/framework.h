/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the XPTI framework that has loaded the recorder.
 */
#pragma once

/* A function of the dispatcher; NULL: it has none of that name. */
void *tt_record_framework (const char *name);
