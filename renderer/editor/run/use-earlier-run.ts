import { useEffect } from 'react';
import { useBridge } from '../../api/bridge.ts';
import { isActive } from '../../format/status.ts';
import { useSessionView } from '../session/use-session.ts';
import type { TestLoop } from './test-loop.ts';

/** Number of runs searched for the latest complete one. */
const lastViewed = 20;

/** Loads the latest run from before the visit into the loop, for the outputs of its steps. */
export function usePreviousRunOutputs(loop: TestLoop): void {
  const bridge = useBridge();
  const name = useSessionView((view) => view.validAnalysis?.workflows[0]?.name);
  useEffect(() => {
    if (name === undefined) return undefined;
    let isWanted = true;
    const find = async (): Promise<void> => {
      const { dagRuns } = await bridge.call('runs.listOf', { name, limit: lastViewed });
      const newest = dagRuns.find((run) => run.onlySteps === undefined && !isActive(run));
      if (!newest || !isWanted) return;
      const run = await bridge.call('runs.get', { name, dagRunId: newest.dagRunId });
      if (isWanted) loop.loadEarlierRun(run);
    };
    // Without it, completion offers no values; that needs no error message.
    find().catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [bridge, loop, name]);
}
