# SPDX-License-Identifier: Apache-2.0
# The command line: main, one file a command, their tables and options.
libtracetool_a_SOURCES += \
	%D%/clock-facts.c %D%/clock-facts.h \
	%D%/group-doubt.c %D%/group-doubt.h \
	%D%/job-source.c %D%/job-source.h \
	%D%/command-group.c \
	%D%/command.c %D%/command.h \
	%D%/commands.c \
	%D%/common-values.c %D%/common-values.h \
	%D%/complete.c %D%/complete.h \
	%D%/commands/breakdown.c \
	%D%/commands/imbalance.c \
	%D%/commands/compare.c \
	%D%/commands/comm.c \
	%D%/commands/completion.c \
	%D%/commands/config-explain.c \
	%D%/commands/config-show.c \
	%D%/commands/config-suggest.c \
	%D%/commands/config.c %D%/commands/config.h \
	%D%/commands/convert.c \
	%D%/commands/critical-path-export.c \
	%D%/commands/critical-path-job.c \
	%D%/commands/critical-path-measured.c \
	%D%/commands/critical-path-model.c \
	%D%/commands/critical-path.c %D%/commands/critical-path.h \
	%D%/commands/depgraph.c \
	%D%/commands/export.c \
	%D%/commands/export-records.c %D%/commands/export-records.h \
	%D%/commands/export-slices.c %D%/commands/export-slices.h \
	%D%/commands/import.c \
	%D%/commands/info-clocks.c \
	%D%/commands/info-json.c \
	%D%/commands/info.c %D%/commands/info.h \
	%D%/commands/kernels.c \
	%D%/commands/nccl.c \
	%D%/commands/params.c \
	%D%/commands/pi-drive.c \
	%D%/commands/pi-pack.c \
	%D%/commands/pi-print.c \
	%D%/commands/pi-record.c \
	%D%/commands/pi-replay.c \
	%D%/commands/pi-unpack.c \
	%D%/commands/pi.c \
	%D%/commands/plot.c \
	%D%/commands/probe-run.c \
	%D%/commands/probe-record.c \
	%D%/commands/probe-weave.c \
	%D%/commands/probe-compile.c \
	%D%/commands/probe.c \
	%D%/commands/query.c \
	%D%/commands/report.c \
	%D%/commands/remove.c \
	%D%/commands/simulate-answer.c %D%/commands/simulate-answer.h \
	%D%/commands/simulate-machine.c %D%/commands/simulate-machine.h \
	%D%/commands/simulate-options.c %D%/commands/simulate-options.h \
	%D%/commands/simulate-trace.c %D%/commands/simulate-trace.h \
	%D%/commands/simulate.c \
	%D%/commands/stats.c \
	%D%/commands/steps.c \
	%D%/commands/tree.c \
	%D%/commands/waits.c \
	%D%/config-apply.c %D%/config-apply.h \
	%D%/config-file.c %D%/config-file.h \
	%D%/default-output.c %D%/default-output.h \
	%D%/export-waits.c %D%/export-waits.h \
	%D%/export-options.c %D%/export-options.h \
	%D%/find-operation.c %D%/find-operation.h \
	%D%/first-steps.c %D%/first-steps.h \
	%D%/graph-file.c %D%/graph-file.h \
	%D%/help-page.c %D%/help-page.h \
	%D%/import-options.c %D%/import-options.h \
	%D%/import-passes.c %D%/import-passes.h \
	%D%/import-run.c %D%/import-run.h \
	%D%/import-shards.c %D%/import-shards.h \
	%D%/levels/find-label.c %D%/levels/find-label.h \
	%D%/levels/level.h \
	%D%/levels/levels.c \
	%D%/levels/reductions.c %D%/levels/reductions.h \
	%D%/levels/spans.c \
	%D%/levels/step.c \
	%D%/levels/task.c \
	%D%/known-sources.c %D%/known-sources.h \
	%D%/message.c %D%/message.h \
	%D%/option-values.c %D%/option-values.h \
	%D%/options.c %D%/options.h \
	%D%/plots/draw.h \
	%D%/plots/thread-lanes.c %D%/plots/thread-lanes.h \
	%D%/probe-file.c %D%/probe-file.h \
	%D%/picture.c %D%/picture.h \
	%D%/picture-rows.c %D%/picture-rows.h \
	%D%/program.c %D%/program.h \
	%D%/plots/banks.c \
	%D%/plots/blocks.c \
	%D%/plots/breakdown.c \
	%D%/plots/dmat.c \
	%D%/plots/flame.c \
	%D%/plots/head.c \
	%D%/plots/histogram.c \
	%D%/plots/launch.c %D%/plots/launch.h \
	%D%/plots/matrix.c \
	%D%/plots/plot.h \
	%D%/plots/plots.c \
	%D%/plots/roofline.c \
	%D%/plots/steps.c \
	%D%/plots/timeline.c \
	%D%/plots/waits.c \
	%D%/plots/what-if.c %D%/plots/what-if.h \
	%D%/plots/work-colours.c %D%/plots/work-colours.h \
	%D%/run-operand.c %D%/run-operand.h \
	%D%/run-id.c %D%/run-id.h \
	%D%/run-facts.c %D%/run-facts.h \
	%D%/session.c %D%/session.h \
	%D%/stats-clock.c %D%/stats-clock.h \
	%D%/suggest/search.c %D%/suggest/search.h \
	%D%/suggest/suggestion.c %D%/suggest/suggestion.h \
	%D%/suggest/describe.c %D%/suggest/describe.h \
	%D%/suggest/levels.c %D%/suggest/levels.h \
	%D%/suggest/sweep.c %D%/suggest/sweep.h \
	%D%/suggest/plan.c %D%/suggest/plan.h \
	%D%/suggest/trial.c %D%/suggest/trial.h \
	%D%/table-set.c %D%/table-set.h \
	%D%/tables/breakdown.c %D%/tables/breakdown.h \
	%D%/tables/wait-causes.c %D%/tables/wait-causes.h \
	%D%/tables/wait-doubt.c %D%/tables/wait-doubt.h \
	%D%/tables/waits.c %D%/tables/waits.h \
	%D%/tables/imbalance.c %D%/tables/imbalance-words.c %D%/tables/imbalance.h \
	%D%/tables/compare.c %D%/tables/compare.h \
	%D%/tables/compare-words.c \
	%D%/tables/comm.c %D%/tables/comm.h %D%/tables/comm-groups.c \
	%D%/tables/info-names.c %D%/tables/info-names.h \
	%D%/tables/info-check.c %D%/tables/info-check.h \
	%D%/tables/info-trust.c %D%/tables/info-trust.h \
	%D%/tables/info-runs.c %D%/tables/info-runs.h \
	%D%/tables/info.c %D%/tables/info.h \
	%D%/tables/kernel-cells.c %D%/tables/kernel-cells.h \
	%D%/tables/kernels-collectives.c \
	%D%/tables/kernels-exec-trace.c \
	%D%/tables/kernels-nsys.c \
	%D%/tables/kernels-ranges.c \
	%D%/tables/kernels-traces.c \
	%D%/tables/kernels-streams.c %D%/tables/kernels-streams.h \
	%D%/tables/kernels.c %D%/tables/kernels.h \
	%D%/tables/lexgions.c %D%/tables/lexgions.h \
	%D%/tables/model-path.c %D%/tables/model-path.h \
	%D%/tables/nccl-xml.c %D%/tables/nccl-xml.h \
	%D%/tables/nccl.c %D%/tables/nccl.h \
	%D%/tables/path.c %D%/tables/path.h \
	%D%/tables/path-doubt.c %D%/tables/path-doubt.h \
	%D%/tables/path-imbalance.c %D%/tables/path-imbalance.h \
	%D%/tables/simulate-sweep.c \
	%D%/tables/simulate.c %D%/tables/simulate.h \
	%D%/tables/stats-folds.c %D%/tables/stats-folds.h \
	%D%/tables/states.c %D%/tables/states.h \
	%D%/tables/stats.c %D%/tables/stats.h \
	%D%/tables/steps.c %D%/tables/steps.h \
	%D%/tables/structure.c %D%/tables/structure.h \
	%D%/tables/tree.c %D%/tables/tree.h \
	%D%/trust-marks.c %D%/trust-marks.h \
	%D%/whole-file.c %D%/whole-file.h \
	%D%/words.c %D%/words.h
tracetool_SOURCES += %D%/main.c
bin_PROGRAMS += neutrino-compile
neutrino_compile_SOURCES = %D%/neutrino-compile.c
