/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What signals did when tracetool was started, for the programs that it runs: what was ignored is ignored there, too.
 */
#pragma once

/* Before anything changes: the signals of the terminal, SIGTERM, SIGPIPE and SIGXFSZ. */
void tt_signals_keep (void);
/* In a child that becomes another program. */
void tt_signals_restore (void);
