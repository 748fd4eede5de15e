/**
 * Opens the engine on the home in its argument, recovers runs and serves queues and schedules until it is killed.
 * Prints a line when it is ready.
 */
import { writeSync } from 'node:fs';
import { openEngine, systemClock } from '../../core/index.ts';
import type { Logger } from '../../core/base/logger.ts';

const [home] = process.argv.slice(2);
if (home === undefined) throw new Error('usage: schedule-host HOME');
const say = (message: string): void => void writeSync(2, `${message}\n`);
const logger: Logger = { info() {}, warn: say, error: say };
const host = await openEngine({ home, clock: systemClock, logger, version: 'test', kind: 'scheduler' });
systemClock.after(Number.MAX_SAFE_INTEGER, () => {});
host.startRecoveryLoop();
host.processQueues();
await host.startScheduling();
writeSync(1, 'ready\n');
