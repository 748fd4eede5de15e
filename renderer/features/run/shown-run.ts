import { createContext, useContext, useMemo } from 'react';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';

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
      run?.takeOvers,
      run?.outputs,
      run?.peakUsage,
    ],
  );
}
