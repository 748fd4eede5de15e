import type { SubRunPort } from '../../executors/executor.ts';
import type { RunRef } from '../../model/run/run.ts';

/** The same port, which tells of each run that a step starts, so that it can be found from there. */
export const announceSubRuns = (port: SubRunPort, tell: (started: RunRef) => void): SubRunPort => ({
  async start(dag, params) {
    const subRun = await port.start(dag, params);
    const { name, dagRunId } = subRun.ref;
    tell({ name, dagRunId });
    return subRun;
  },
});
