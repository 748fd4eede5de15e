import type { RunDetailView, StepRunView } from '../../../core/contract/runs/run-views.ts';
import { isAsking } from '../../format/asking.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';

/** Lists every node of a run, steps first. */
export const listNodes = (run: RunDetailView): StepRunView[] => [...run.steps, ...run.handlers];

/** Finds the node of a reference. */
export const findNode = (run: RunDetailView, ref: NodeRef | undefined): StepRunView | undefined =>
  ref && listNodes(run).find(({ section, name }) => section === ref.section && name === ref.name);

/**
 * Returns the step to show first: one that waits for approval, otherwise a failed one, a running one, or the
 * last to finish.
 */
export function findNodeToShow(run: RunDetailView): NodeRef | undefined {
  const nodes = listNodes(run);
  const failed = nodes.find(({ status }) => status === 'failed');
  const running = nodes.find(({ status }) => status === 'running');
  const ended = nodes
    .filter(({ attempts }) => attempts.length > 0)
    .sort((left, right) => (left.finishedAt ?? '').localeCompare(right.finishedAt ?? ''))
    .at(-1);
  const found = nodes.find(isAsking) ?? failed ?? running ?? ended ?? nodes[0];
  return found && { section: found.section, name: found.name };
}
