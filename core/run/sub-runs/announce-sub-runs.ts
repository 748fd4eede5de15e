import type { SubRunPort } from '../../executors/executor.ts';
import type { RunRef } from '../../model/run/run.ts';

/** Returns the same port, which also reports each run that a step starts, so that the step can find it. */
export const announceSubRuns = (port: SubRunPort, notify: (started: RunRef) => void): SubRunPort => ({
  async start(dag, params) {
    const subRun = await port.start(dag, params);
    const { name, dagRunId } = subRun.ref;
    notify({ name, dagRunId });
    return subRun;
  },
});
