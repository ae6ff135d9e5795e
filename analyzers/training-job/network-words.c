/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/network-words.h"

#include <string.h>

static void
describe_limit (const TtLinkModel *link, GString *text)
{
  if (link->limit_bytes_per_ns > 0)
    g_string_append_printf (text, " (a channel %.0f MB/s at most)", link->limit_bytes_per_ns * 1e3);
}

char *
tt_job_network_describe (const TtJobNetwork *network)
{
  const TtLinkModel *within = &network->model.within, *between = &network->model.between;
  static const char *const words[] = {
    [TT_LINK_OF_PORT] = "", [TT_LINK_OF_HOST] = " (a bus)", [TT_LINK_OF_CHANNEL] = " (a channel)"
  };
  g_autoptr (GString) text = g_string_new (NULL);

  if (network->has_within)
    g_string_append_printf (text, "%.1f us + bytes / %.0f MB/s within hosts%s", within->latency_ns / 1e3,
                            within->bytes_per_ns * 1e3, words[within->sharing]);
  if (network->has_within)
    describe_limit (within, text);
  if (network->has_between)
    g_string_append_printf (text, "%s%.1f us + bytes / %.0f MB/s between hosts%s", text->len > 0 ? ", " : "",
                            between->latency_ns / 1e3, between->bytes_per_ns * 1e3, words[between->sharing]);
  if (network->has_between)
    describe_limit (between, text);
  if (network->slow_host != NULL)
    g_string_append_printf (text, " (the NICs of %.*s at %.0f %% of that)", (int) strcspn (network->slow_host, "."),
                            network->slow_host, 100 * network->model.slow_part);
  return g_strdup_printf ("the network, fitted to the transfers: %s; collectives played over it are %.1f %% off",
                          text->str, 100 * network->residual);
}
