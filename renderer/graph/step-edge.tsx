import { memo } from 'react';
import type { Edge, EdgeProps } from 'reactflow';
import { isFulfilled, type StepStatus } from '../../core/model/run/status.ts';
import type { Point } from './layout/compute-layout.ts';
import { roundedPath } from './layout/edge-path.ts';
import styles from './graph.module.css';
import { useNodeState } from './graph-store.ts';

export interface StepEdgeData extends Record<string, unknown> {
  readonly route: readonly Point[];
}

/** The line from a step to a step that depends on it. */
export const StepEdge = memo(function StepEdge({ source, target, data }: EdgeProps<Edge<StepEdgeData>>) {
  const flow = useNodeState(
    ({ appearances }) => findFlow(appearances.get(source)?.status, appearances.get(target)?.status),
    source,
    target,
  );
  const path = roundedPath(data?.route ?? []);
  return (
    <>
      {flow === 'running' && <path className={styles.glow} d={path} />}
      <path className={styles.edge} data-flow={flow} d={path} markerEnd={`url(#arrow-${flow})`} />
    </>
  );
});

type Flow = 'idle' | 'done' | 'running' | 'broken';

/** Returns the state of a line from the statuses of its two ends. */
function findFlow(source: StepStatus | undefined, target: StepStatus | undefined): Flow {
  if (target === 'running') return 'running';
  if (source === 'failed' || source === 'aborted') return target === 'succeeded' ? 'done' : 'broken';
  const passed = source !== undefined && isFulfilled(source);
  return passed && target !== undefined && target !== 'not_started' && target !== 'skipped' ? 'done' : 'idle';
}

/** All states of a line. */
export const flowStates: readonly Flow[] = ['idle', 'done', 'running', 'broken'];
