import { createContext, useContext, useMemo } from 'react';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';

const ShownRunContext = createContext<RunDetailView | undefined>(undefined);

/** Hands the run to the views inside; what lies between is not drawn anew with every step that ends. */
export const ShownRunProvider = ShownRunContext.Provider;

/** The run of the page, as it is now. */
export function useShownRun(): RunDetailView {
  const run = useContext(ShownRunContext);
  if (!run) throw new Error('useShownRun is used outside ShownRunProvider');
  return run;
}

/**
 * The run as it was when something changed that is not about single steps: the same object while only they change.
 * For what shows the run as a whole.
 */
export function useRunAsWhole(run: RunDetailView | undefined): RunDetailView | undefined {
  return useMemo(
    () => run,
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the steps are left out on purpose
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
