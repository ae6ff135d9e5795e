#include "config.h"

#include "src/cli/command.h"
#include "src/cli/commands/depgraph-task.h"
#include "src/cli/levels/find-label.h"
#include "src/cli/session.h"

static TtGraph *
build (TtStore *store, const TtGraphRequest *request, TtTrail **trail, GError **error)
{
  return tt_command_check_one_run (store, error) ? tt_depgraph_task (store, error) : NULL;
}

const TtGraphLevel tt_graph_level_task = {
  .name = "task",
  .option = "--level task",
  .refuses = TT_GRAPH_OF_SPANS | TT_GRAPH_OF_STEPS,
  .build = build,
  .find = tt_graph_level_find_label,
};
