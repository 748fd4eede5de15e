import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { pluralize } from '../../core/base/text.ts';
import type { RunDetailView } from '../../core/contract/run-views.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { QueryState } from '../ui/state.tsx';
import { buildGraph, nodeId, type GraphModel } from './build-graph.ts';
import { chooseDirection } from './quick-layout.ts';
import { computeLayout, type Direction } from './compute-layout.ts';
import { GraphStore, GraphStoreProvider } from './graph-store.ts';
import { GraphCanvas } from './graph-canvas.tsx';
import styles from './graph.module.css';
import { availableSize } from './graph-geometry.ts';
import { collectAppearances } from './step-card.tsx';

/** A step or handler of the shown workflow. */
export interface NodeRef {
  readonly section: 'step' | 'handler';
  readonly name: string;
}

interface WorkflowGraphProps {
  readonly workflow: Workflow;
  /** The run whose statuses color the graph. */
  readonly run?: RunDetailView | undefined;
  readonly selected?: NodeRef | undefined;
  /** A note in the corner of the canvas. */
  readonly legend?: React.ReactNode;
  readonly onSelect?: ((node: NodeRef) => void) | undefined;
}

/** A workflow as a graph, with the live statuses of a run. */
export function WorkflowGraph({ workflow, run, selected, legend, onSelect }: WorkflowGraphProps) {
  const [store] = useState(() => new GraphStore());
  const graph = useMemo(() => buildGraph(workflow), [workflow]);
  const structure = useMemo(
    () => JSON.stringify([graph.steps.map(({ id }) => id), graph.edges, graph.handlers.length]),
    [graph],
  );
  const { direction, room, choose, measure } = useDirection(graph);
  const layout = useQuery({
    queryKey: ['layout', direction, structure, room],
    queryFn: () => computeLayout(graph, direction!, room),
    enabled: direction !== undefined && room !== undefined,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  useEffect(() => store.show(collectAppearances(run, store.appearances)), [store, run]);
  useEffect(() => store.select(selected && nodeId(selected.section, selected.name)), [store, selected]);
  return (
    <div
      ref={measure}
      className={styles.graph}
      role="group"
      aria-label={`Graph of ${workflow.name}, ${pluralize(workflow.steps.length, 'step')}`}
    >
      <QueryState
        query={layout}
        what="The graph"
        waiting={<div className={styles.canvas} role="status" aria-label="Loading the graph" />}
      >
        {(positions) => (
          <GraphStoreProvider value={store}>
            <GraphCanvas
              key={`${direction}${structure}`}
              graph={graph}
              layout={positions}
              direction={direction ?? 'RIGHT'}
              onDirection={choose}
              onSelect={onSelect}
            />
          </GraphStoreProvider>
        )}
      </QueryState>
      {legend && <div className={styles.legend}>{legend}</div>}
    </div>
  );
}

/** Next to a panel there is little room: legibility takes precedence over the usual direction. */
const advantage = 1.05;

/**
 * Returns the user's choice, or else the direction that suits the initial size of the view; undefined until
 * measured.
 */
function useDirection(graph: GraphModel) {
  const [chosen, choose] = useState<Direction>();
  const [view, setView] = useState<{ width: number; height: number }>();
  const measure = useCallback((box: HTMLElement | null) => {
    if (box) setView((known) => known ?? availableSize(box));
  }, []);
  const suitable = useMemo(() => view && chooseDirection(graph, view, advantage), [graph, view]);
  return { direction: chosen ?? suitable, room: view, choose, measure };
}
