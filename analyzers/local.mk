# SPDX-License-Identifier: Apache-2.0
# Questions over the store, a folder a question.
libtracetool_a_SOURCES += \
	%D%/arg-value.c %D%/arg-value.h \
	%D%/breakdown/breakdown.c %D%/breakdown/breakdown.h %D%/breakdown/breakdown-private.h \
	%D%/breakdown/breakdown-rows.c %D%/breakdown/breakdown-rows.h \
	%D%/breakdown/joint-breakdown.c %D%/breakdown/joint-breakdown.h \
	%D%/breakdown/busy-time.c %D%/breakdown/busy-time.h \
	%D%/breakdown/efficiency.c %D%/breakdown/efficiency.h \
	%D%/breakdown/ideal-network.c %D%/breakdown/ideal-network.h %D%/breakdown/ideal-network-private.h \
	%D%/breakdown/network-deal.c \
	%D%/breakdown/row-places.c %D%/breakdown/row-places.h \
	%D%/breakdown/segments.c %D%/breakdown/segments.h \
	%D%/breakdown/sweep.c %D%/breakdown/sweep.h \
	%D%/breakdown/thread-times.c %D%/breakdown/thread-times.h \
	%D%/breakdown/wait-cuts.c %D%/breakdown/wait-cuts.h \
	%D%/call-tree/call-nodes.c %D%/call-tree/call-nodes.h \
	%D%/call-tree/call-tree.c %D%/call-tree/call-tree.h \
	%D%/call-tree/joint-tree.c %D%/call-tree/joint-tree.h \
	%D%/clocks/call-kinds.c %D%/clocks/call-kinds.h \
	%D%/clocks/call-spans.c %D%/clocks/call-spans.h \
	%D%/clocks/doubts.c %D%/clocks/doubts.h \
	%D%/clocks/ends.c %D%/clocks/ends.h \
	%D%/clocks/fit.c %D%/clocks/fit.h \
	%D%/clocks/hosts.c %D%/clocks/hosts.h \
	%D%/clocks/knots.c %D%/clocks/knots.h \
	%D%/clocks/logical.c %D%/clocks/logical.h \
	%D%/clocks/meetings.c %D%/clocks/meetings.h \
	%D%/clocks/moments.c %D%/clocks/moments.h \
	%D%/clocks/one-way.c %D%/clocks/one-way.h \
	%D%/clocks/pair-bounds.c %D%/clocks/pair-bounds.h \
	%D%/clocks/pair-fit.c %D%/clocks/pair-fit.h \
	%D%/clocks/pass.c \
	%D%/clocks/ranges.c %D%/clocks/ranges.h \
	%D%/clocks/relax.c %D%/clocks/relax.h \
	%D%/clocks/rendezvous.c %D%/clocks/rendezvous.h \
	%D%/clocks/roots.c %D%/clocks/roots.h \
	%D%/clocks/starts.c %D%/clocks/starts.h \
	%D%/clocks/ties.c %D%/clocks/ties.h \
	%D%/clocks/verdicts.c %D%/clocks/verdicts.h \
	%D%/communication/bus-factor.c %D%/communication/bus-factor.h \
	%D%/communication/collective-shape.c %D%/communication/collective-shape.h \
	%D%/communication/comm.c %D%/communication/comm.h \
	%D%/communication/comm-kernels.c %D%/communication/comm-kernels.h \
	%D%/communication/group-rows.c %D%/communication/group-rows.h \
	%D%/communication/groups.c %D%/communication/groups.h \
	%D%/communication/transfers.c %D%/communication/transfers.h \
	%D%/communicators/agreement-shifts.c %D%/communicators/agreement-shifts.h \
	%D%/communicators/agreement.c %D%/communicators/agreement.h \
	%D%/communicators/alignment.c %D%/communicators/alignment.h \
	%D%/communicators/choice.c %D%/communicators/choice.h \
	%D%/communicators/exchange.c %D%/communicators/options.h \
	%D%/communicators/families.c %D%/communicators/families.h \
	%D%/communicators/inference.c %D%/communicators/inference.h \
	%D%/communicators/joint.c %D%/communicators/joint.h \
	%D%/communicators/meeting-shifts.c %D%/communicators/meeting-shifts.h \
	%D%/communicators/one-communicator.c %D%/communicators/one-communicator.h \
	%D%/communicators/own-clocks.c %D%/communicators/own-clocks.h \
	%D%/communicators/member-sets.c %D%/communicators/member-sets.h \
	%D%/communicators/pass.c \
	%D%/communicators/rank-calls.c %D%/communicators/rank-calls.h \
	%D%/communicators/rivals.c %D%/communicators/rivals.h \
	%D%/comparison/comparison.c %D%/comparison/comparison.h \
	%D%/comparison/op-mapping.c %D%/comparison/op-mapping.h \
	%D%/comparison/slower.c %D%/comparison/slower.h \
	%D%/comparison/welch.c %D%/comparison/welch.h \
	%D%/dependencies/neighbours.c \
	%D%/dependencies/dep-graph.c %D%/dependencies/dep-graph.h \
	%D%/dependencies/event-index.c %D%/dependencies/event-index.h \
	%D%/dependencies/graph-builder.c %D%/dependencies/graph-builder.h \
	%D%/dependencies/graph-links.c %D%/dependencies/graph-links.h \
	%D%/dependencies/joint-graph.c %D%/dependencies/joint-graph.h \
	%D%/dependencies/span-links.c %D%/dependencies/span-links.h \
	%D%/dependencies/span-tree.c %D%/dependencies/span-tree.h \
	%D%/dependencies/task-graph.c %D%/dependencies/task-graph.h \
	%D%/dependencies/vicinity.c %D%/dependencies/vicinity.h \
	%D%/devices/backward-runs.c %D%/devices/backward-runs.h \
	%D%/devices/launches.c %D%/devices/launches.h \
	%D%/devices/roles.c %D%/devices/roles.h \
	%D%/devices/stream-order.c %D%/devices/stream-order.h \
	%D%/devices/waits.c %D%/devices/waits.h \
	%D%/devices/work.c %D%/devices/work.h \
	%D%/doubts/pass.c \
	%D%/imbalance/arrivals.c %D%/imbalance/arrivals.h \
	%D%/imbalance/calls.c %D%/imbalance/calls.h \
	%D%/imbalance/job-calls.c %D%/imbalance/job-calls.h \
	%D%/imbalance/operations.c %D%/imbalance/operations.h \
	%D%/imbalance/shared-time.c %D%/imbalance/shared-time.h \
	%D%/imbalance/step-cover.c %D%/imbalance/step-cover.h \
	%D%/imbalance/step-values.c %D%/imbalance/step-values.h \
	%D%/imbalance/straggler-words.c %D%/imbalance/straggler-words.h \
	%D%/imbalance/stragglers.c %D%/imbalance/stragglers.h \
	%D%/kernels/annotations.c %D%/kernels/annotations.h \
	%D%/kernels/brief.c %D%/kernels/brief.h \
	%D%/kernels/event-list.c %D%/kernels/event-list.h \
	%D%/kernels/exec-list.c %D%/kernels/exec-list.h \
	%D%/kernels/execs.c %D%/kernels/execs.h \
	%D%/kernels/grids.c %D%/kernels/grids.h \
	%D%/kernels/kernel-times.c %D%/kernels/kernel-times.h \
	%D%/kernels/builder.c %D%/kernels/builder-private.h %D%/kernels/joint-kernels.c \
	%D%/kernels/kernels.c %D%/kernels/kernels.h \
	%D%/kernels/names.c %D%/kernels/names.h \
	%D%/kernels/queue.c %D%/kernels/queue.h \
	%D%/kernels/range-kernels.c %D%/kernels/range-kernels.h \
	%D%/kernels/range-tree.c %D%/kernels/range-tree.h \
	%D%/kernels/range-sums.c %D%/kernels/range-sums.h \
	%D%/kernels/result.c %D%/kernels/result.h \
	%D%/kernels/spread.c %D%/kernels/spread.h \
	%D%/nccl/connections.c %D%/nccl/connections.h \
	%D%/nccl/pass.c \
	%D%/nccl/pieces.c %D%/nccl/pieces.h \
	%D%/nccl/view.c %D%/nccl/view.h \
	%D%/pass.c %D%/pass.h \
	%D%/path/call-waits.c %D%/path/call-waits.h \
	%D%/path/critical-path.c %D%/path/critical-path.h %D%/path/critical-path-private.h \
	%D%/path/equal-calls.c %D%/path/equal-calls.h \
	%D%/path/joint-path.c %D%/path/joint-path.h %D%/path/joint-path-private.h \
	%D%/path/joint-points.c \
	%D%/path/host-collectives.c %D%/path/host-collectives.h \
	%D%/path/job-causes.c %D%/path/job-causes.h \
	%D%/path/job-path.c %D%/path/job-path.h \
	%D%/path/job-spans.c %D%/path/job-spans.h \
	%D%/path/job-wait-list.c %D%/path/job-wait-list.h \
	%D%/path/job-waits.c %D%/path/job-waits.h \
	%D%/path/measured-path.c %D%/path/measured-path.h \
	%D%/path/path-imbalance.c %D%/path/path-imbalance.h %D%/path/path-imbalance-private.h \
	%D%/path/joint-imbalance.c \
	%D%/path/piece-times.c %D%/path/piece-times.h \
	%D%/path/points.c %D%/path/points.h %D%/path/points-private.h \
	%D%/path/sums.c %D%/path/sums.h \
	%D%/path/server-waits.c %D%/path/server-waits.h \
	%D%/process-order.c %D%/process-order.h \
	%D%/student.c %D%/student.h \
	%D%/probes/accesses.c %D%/probes/accesses.h \
	%D%/probes/blocks.c %D%/probes/blocks.h \
	%D%/probes/launches.c %D%/probes/launches.h \
	%D%/probes/unit-clock.c %D%/probes/unit-clock.h \
	%D%/probes/record-args.c %D%/probes/record-args.h \
	%D%/probes/banks.c %D%/probes/banks.h \
	%D%/recorded-job/builder.c %D%/recorded-job/builder.h \
	%D%/recorded-job/collectives.c %D%/recorded-job/collectives.h \
	%D%/recorded-job/data-flows.c %D%/recorded-job/data-flows.h \
	%D%/recorded-job/device-lanes.c %D%/recorded-job/device-lanes.h \
	%D%/recorded-job/host-lanes.c %D%/recorded-job/host-lanes.h \
	%D%/recorded-job/launches.c %D%/recorded-job/launches.h \
	%D%/recorded-job/recorded-job.c %D%/recorded-job/recorded-job.h \
	%D%/recorded-job/steps.c %D%/recorded-job/steps.h \
	%D%/recorded-job/transfers.c %D%/recorded-job/transfers.h \
	%D%/recorded-job/waits.c %D%/recorded-job/waits.h \
	%D%/spans/each-event.c %D%/spans/each-event.h \
	%D%/spans/parents.c %D%/spans/parents.h \
	%D%/spans/kept-events.c %D%/spans/kept-events.h \
	%D%/spans/shared-scan.c %D%/spans/shared-scan.h \
	%D%/spans/shares.c %D%/spans/shares.h \
	%D%/spans/op-table.c %D%/spans/op-table.h \
	%D%/states/state-sweep.c %D%/states/state-sweep.h \
	%D%/states/state-threads.c %D%/states/state-threads.h \
	%D%/states/states.c %D%/states/states.h \
	%D%/statistics/bounded.c %D%/statistics/bounded.h \
	%D%/statistics/duration-log.c %D%/statistics/duration-log.h \
	%D%/statistics/event-stats.c %D%/statistics/event-stats.h \
	%D%/statistics/fine-category.c %D%/statistics/fine-category.h \
	%D%/statistics/joint-help.c %D%/statistics/joint-help.h \
	%D%/statistics/joint-search.c %D%/statistics/joint-search.h \
	%D%/statistics/joint-stats.c %D%/statistics/joint-stats.h \
	%D%/statistics/joint-words.c %D%/statistics/joint-words.h \
	%D%/statistics/grouping.c %D%/statistics/grouping.h \
	%D%/statistics/lexgion-spans.c %D%/statistics/lexgion-spans.h \
	%D%/statistics/lexgions.c %D%/statistics/lexgions.h \
	%D%/statistics/sampled.c %D%/statistics/sampled.h \
	%D%/statistics/sampled-gaps.c %D%/statistics/sampled-gaps.h \
	%D%/statistics/metric-tally.c %D%/statistics/metric-tally.h \
	%D%/statistics/name2sta.c %D%/statistics/name2sta.h \
	%D%/statistics/op-order.c %D%/statistics/op-order.h \
	%D%/statistics/op-sums.c %D%/statistics/op-sums.h \
	%D%/statistics/op-rows.c %D%/statistics/op-rows.h \
	%D%/statistics/place-words.c %D%/statistics/place-words.h \
	%D%/statistics/open-groups.c %D%/statistics/open-groups.h \
	%D%/statistics/pair-tally.c %D%/statistics/pair-tally.h \
	%D%/statistics/quantile-search.c %D%/statistics/quantile-search.h \
	%D%/statistics/quantile-sort.c %D%/statistics/quantile-sort.h \
	%D%/statistics/recount.c %D%/statistics/recount.h \
	%D%/statistics/rank-presence.c %D%/statistics/rank-presence.h \
	%D%/statistics/part-values.c %D%/statistics/part-values.h \
	%D%/statistics/rows.c %D%/statistics/rows.h \
	%D%/statistics/scan.c \
	%D%/statistics/span-feed.c %D%/statistics/span-feed.h \
	%D%/statistics/span-keys.c %D%/statistics/span-keys.h \
	%D%/statistics/span-places.c %D%/statistics/span-places.h \
	%D%/statistics/span-scan.c %D%/statistics/span-scan.h \
	%D%/statistics/statistics.c \
	%D%/statistics/tally.c %D%/statistics/tally.h \
	%D%/steps/iteration.c %D%/steps/iteration.h \
	%D%/steps/step-times.c %D%/steps/step-times.h \
	%D%/steps/joint-steps.c %D%/steps/joint-steps.h \
	%D%/steps/step-reader.c %D%/steps/steps-private.h \
	%D%/steps/steps.c %D%/steps/steps.h \
	%D%/waits/call-class.c %D%/waits/call-class.h \
	%D%/waits/causes.c %D%/waits/causes.h \
	%D%/waits/collectives.c %D%/waits/collectives.h \
	%D%/waits/completions.c %D%/waits/completions.h \
	%D%/waits/critical-pairs.c %D%/waits/critical-pairs.h \
	%D%/waits/devices.c %D%/waits/devices.h \
	%D%/waits/deal.c %D%/waits/deal.h \
	%D%/waits/finder.c %D%/waits/finder.h %D%/waits/finder-private.h %D%/waits/finder-part.c \
	%D%/waits/hearer.h \
	%D%/waits/lock-kinds.c %D%/waits/lock-kinds.h \
	%D%/waits/joint-comm.c %D%/waits/joint-comm.h \
	%D%/waits/joint-timeline.c %D%/waits/joint-timeline.h %D%/waits/timeline-private.h \
	%D%/waits/joint-waits.c %D%/waits/joint-waits.h \
	%D%/waits/held-locks.c %D%/waits/held-locks.h \
	%D%/waits/lock-ids.c %D%/waits/lock-ids.h \
	%D%/waits/window-locks.c %D%/waits/window-locks.h \
	%D%/waits/locks.c %D%/waits/locks.h \
	%D%/waits/messages.c %D%/waits/messages.h %D%/waits/messages-private.h %D%/waits/message-window.c %D%/waits/message-deal.c \
	%D%/waits/read-event.h \
	%D%/waits/pair-waits.c %D%/waits/pair-waits.h \
	%D%/waits/path-times.c %D%/waits/path-times.h \
	%D%/waits/polls.c %D%/waits/polls.h \
	%D%/waits/send-waits.c %D%/waits/send-waits.h \
	%D%/waits/syncs.c %D%/waits/syncs.h \
	%D%/waits/threads.c %D%/waits/threads.h %D%/waits/threads-private.h %D%/waits/thread-deal.c \
	%D%/waits/stretches.c %D%/waits/stretches.h \
	%D%/waits/timeline.c %D%/waits/timeline.h \
	%D%/waits/touching.c %D%/waits/touching.h \
	%D%/waits/wait-comms.c %D%/waits/wait-comms.h \
	%D%/waits/wait-names.c %D%/waits/wait-names.h \
	%D%/waits/wait-places.c %D%/waits/wait-places.h \
	%D%/waits/wait-window.h \
	%D%/waits/waits.c %D%/waits/waits.h %D%/waits/waits-private.h \
	%D%/training-job/fusion-rule.c %D%/training-job/fusion-rule.h \
	%D%/training-job/group-gaps.c \
	%D%/training-job/interval.c %D%/training-job/interval.h \
	%D%/training-job/median.c %D%/training-job/median.h \
	%D%/training-job/machine.c %D%/training-job/machine.h \
	%D%/training-job/metadata.c %D%/training-job/metadata.h \
	%D%/training-job/model-completion.c %D%/training-job/model-completion.h \
	%D%/training-job/model-graph.c %D%/training-job/model-graph.h \
	%D%/training-job/change.c %D%/training-job/change.h \
	%D%/training-job/collective-private.h \
	%D%/training-job/collective-nvls.c %D%/training-job/collective-play.c %D%/training-job/collective-shape.c \
	%D%/training-job/collective.c %D%/training-job/collective.h \
	%D%/training-job/factor.h \
	%D%/training-job/models-interval.c %D%/training-job/models-others.c %D%/training-job/models-private.h \
	%D%/training-job/models.c %D%/training-job/models.h \
	%D%/training-job/name-table.c %D%/training-job/name-table.h \
	%D%/training-job/names.c %D%/training-job/names.h \
	%D%/training-job/network-fit.c %D%/training-job/network-measure.c %D%/training-job/network-private.h \
	%D%/training-job/network-words.c %D%/training-job/network-words.h \
	%D%/training-job/network.c %D%/training-job/network.h \
	%D%/training-job/node-samples.c %D%/training-job/node-samples.h \
	%D%/training-job/notes.c %D%/training-job/notes.h \
	%D%/training-job/observe-groups.c \
	%D%/training-job/observe.c %D%/training-job/observe.h \
	%D%/training-job/options.h \
	%D%/training-job/points-run.c \
	%D%/training-job/points.c %D%/training-job/points.h \
	%D%/training-job/prediction.c %D%/training-job/prediction.h \
	%D%/training-job/plan.c %D%/training-job/plan.h \
	%D%/training-job/recorded-change.c %D%/training-job/recorded-change.h \
	%D%/training-job/recorded-network.c %D%/training-job/recorded-network.h \
	%D%/training-job/recorded-shape.c \
	%D%/training-job/regroup.c %D%/training-job/regroup.h \
	%D%/training-job/samples.h \
	%D%/training-job/scaling.c %D%/training-job/scaling.h \
	%D%/training-job/server-delays.c \
	%D%/training-job/server-job.c %D%/training-job/server-job.h \
	%D%/training-job/server-network.c %D%/training-job/server-network.h \
	%D%/training-job/server-parts.c %D%/training-job/server-parts.h \
	%D%/training-job/shapes.c %D%/training-job/shapes.h \
	%D%/training-job/simulation.c %D%/training-job/simulation.h \
	%D%/training-job/step-groups.c \
	%D%/training-job/step-model.c %D%/training-job/step-model.h \
	%D%/training-job/step-times.c %D%/training-job/step-times.h \
	%D%/training-job/sweep.c %D%/training-job/sweep.h \
	%D%/training-job/tensor-bytes.c %D%/training-job/tensor-bytes.h \
	%D%/training-job/text-cursor.h \
	%D%/training-job/timing-parts.h \
	%D%/training-job/timing.c %D%/training-job/timing.h \
	%D%/training-job/topology.c %D%/training-job/topology.h \
	%D%/training-job/trail.c %D%/training-job/trail.h \
	%D%/training-job/training-job.c %D%/training-job/training-job.h \
	%D%/training-job/tree-transfers.c %D%/training-job/tree-transfers.h \
	%D%/training-job/whole-job.c %D%/training-job/whole-job.h \
	%D%/training-job/what-if.c %D%/training-job/what-if.h \
	%D%/work-class.c %D%/work-class.h
