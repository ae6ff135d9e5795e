/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace of Perfetto as text, a line for each packet, decoded by the field numbers of the public schema and by nothing
 * of the writer's:
 *
 *    root processes explicit threads explicit cleared first
 *    attribute 'tool' 'tracetool'
 *    process 1: pid 7 'host0' label 'gpu' rank 0
 *    thread 2: pid 7 tid 70 'main' rank 1
 *    track 3 in 2: 'queue' rank 5 explicit unmerged
 *    counter 4 in 1: 'memory' unit 'bytes'
 *    begin 10 on 2: 'COMP.a' [COMP] x=1 y='text' flow 9
 *    end 20 on 2
 *
 * Numbers of texts that were not defined before are "?"; what no packet of ours should have is "unknown".
 */
#pragma once

#include <glib.h>

char *perfetto_decode (const guint8 *bytes, gsize len);
