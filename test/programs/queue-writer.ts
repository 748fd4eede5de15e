/** Enqueues a run of a workflow of one step, in the home and with the id in its arguments. */
import { openEngine, systemClock } from '../../core/index.ts';
import { silentLogger } from '../harness/fakes.ts';

const [home, dagRunId] = process.argv.slice(2);
if (home === undefined || dagRunId === undefined) throw new Error('usage: queue-writer HOME ID');
const host = openEngine({ home, clock: systemClock, logger: silentLogger, version: 'test' });
await host.enqueueRun({ source: { spec: 'name: job\nsteps: ["true"]' }, trigger: 'api', dagRunId });
await host.close('stop');
