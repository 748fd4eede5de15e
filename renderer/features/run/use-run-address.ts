import { useCallback, useMemo } from 'react';
import type { RunRef } from '../../../core/model/run/run.ts';
import { useQueryParams } from '../../app/address.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';

export const runViews = ['graph', 'timeline', 'steps', 'values', 'files', 'usage', 'spec'] as const;
/** A view of a run. */
export type RunView = (typeof runViews)[number];

/** The selections on the run page; all are in the address. */
export interface RunChoice {
  readonly view: RunView;
  readonly node: NodeRef | undefined;
  /** The run of the step, if it is a sub-run of the page's run. */
  readonly inRun: RunRef | undefined;
  /** The attempt whose log is shown. Default: the newest. */
  readonly attempt: number | undefined;
}

/** Parses the query of an address; invalid values count as absent. */
export function readRunChoice(query: URLSearchParams): RunChoice {
  const view = runViews.find((one) => one === query.get('view')) ?? 'graph';
  const [handler, step] = [query.get('handler'), query.get('step')];
  const [name, dagRunId] = (query.get('in') ?? '').split('/');
  return {
    view,
    node: handler
      ? { section: 'handler', name: handler }
      : step
        ? { section: 'step', name: step }
        : undefined,
    inRun: name && dagRunId ? { name, dagRunId } : undefined,
    attempt: Number(query.get('attempt')) || undefined,
  };
}

/** The selections of the run page, and functions to change them. Changes replace the history entry. */
export function useRunPageParams() {
  const [query, change] = useQueryParams();
  const choice = useMemo(() => readRunChoice(query), [query]);
  const setView = useCallback(
    (view: RunView) => change({ view: view === 'graph' ? undefined : view }),
    [change],
  );
  const select = useCallback(
    (node: NodeRef, inRun?: RunRef) =>
      change({
        step: node.section === 'step' ? node.name : undefined,
        handler: node.section === 'handler' ? node.name : undefined,
        in: inRun && `${inRun.name}/${inRun.dagRunId}`,
        attempt: undefined,
        item: undefined,
        line: undefined,
      }),
    [change],
  );
  const setAttempt = useCallback(
    (attempt: number | undefined) => change({ attempt: attempt === undefined ? undefined : String(attempt) }),
    [change],
  );
  return { choice, setView, select, setAttempt };
}
