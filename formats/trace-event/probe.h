/*
 * Whether a file holds trace events.
 */
#pragma once

#include "formats/format.h"

/* 0 for any other JSON, also for the files that lie beside traces. */
guint tt_chrome_probe (const TtProbe *file);
