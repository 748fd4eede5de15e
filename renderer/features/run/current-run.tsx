import { createContext, useContext, useMemo, useState, useCallback } from 'react';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { paths, useQueryParams } from '../../navigation/address.ts';
import { shortenRunId, isAsking } from '../../format/values.ts';
import { MissingState } from '../../ui/state.tsx';
import { isActive } from '../../format/labels.ts';
import { useNow } from '../../base/clock.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { findNodeToShow, findNode } from './run-reason.tsx';

const CurrentRunContext = createContext<RunDetailView | undefined>(undefined);

/** Provides the run to the views; the elements between do not rerender when a step ends. */
export const CurrentRunProvider = CurrentRunContext.Provider;

/** Returns the current run of the page from context. */
export function useCurrentRun(): RunDetailView {
  const run = useContext(CurrentRunContext);
  if (!run) throw new Error('useShownRun is used outside ShownRunProvider');
  return run;
}

/**
 * Returns the run as of the last change that affects more than single steps; the object is stable while only
 * steps change. For views of the whole run.
 */
export function useStableRun(run: RunDetailView | undefined): RunDetailView | undefined {
  return useMemo(
    () => run,
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the steps are omitted on purpose
    [
      run?.dagRunId,
      run?.status,
      run?.startedAt,
      run?.finishedAt,
      run?.stopRequestedBy,
      run?.error,
      run?.wait,
      run?.host,
      run?.workflow,
      run?.recoveries,
      run?.outputs,
      run?.peakUsage,
      run?.note,
    ],
  );
}

/** Shown for a run that is not in the history. */
export const MissingRun = ({ name, dagRunId }: RunRef) => (
  <MissingState
    what={`Run ${shortenRunId(dagRunId)} of "${name}"`}
    explanation="It may have been deleted, or the link is wrong."
    list={{ href: paths.runs, label: 'All runs' }}
  />
);

/** Minimum time that a step stays shown, in milliseconds: a log that changes with every step is unreadable. */
const minShown = 2_000;

interface VisibleNode {
  readonly node: NodeRef | undefined;
  /** Start time, in epoch milliseconds. */
  readonly since: number;
}

/**
 * Returns which step to show next when none is selected: a running step stays until it ends, any other for a
 * minimum time; a failed step or one that waits for approval is shown immediately.
 */
export function nextVisibleNode(run: RunDetailView, shown: VisibleNode, now: number): VisibleNode {
  const found = findNodeToShow(run);
  if (found?.name === shown.node?.name && found?.section === shown.node?.section) return shown;
  const current = findNode(run, shown.node);
  const next = findNode(run, found);
  const isUrgent = next !== undefined && (next.status === 'failed' || isAsking(next));
  const mayStay = isActive(run) && current !== undefined && !isUrgent;
  if (mayStay && (current.status === 'running' || now - shown.since < minShown)) return shown;
  return { node: found, since: now };
}

/** Returns the most relevant step. */
export function useNodeToShow(run: RunDetailView): NodeRef | undefined {
  const now = useNow(isActive(run));
  const [shown, show] = useState<VisibleNode>(() => ({ node: findNodeToShow(run), since: now }));
  const next = nextVisibleNode(run, shown, now);
  if (next !== shown) show(next);
  return next.node;
}

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
