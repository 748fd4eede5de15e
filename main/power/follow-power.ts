import type { PowerMonitor } from 'electron';
import type { Logger } from '../../core/base/logger.ts';

/** What the app does about sleep and shutdown of the machine. */
export interface PowerParts {
  readonly monitor: Pick<PowerMonitor, 'on'>;
  readonly logger: Logger;
  /** Has schedules looked at now. The engine also notices by itself, within a second, that its clock has jumped. */
  lookAtClock(): void;
  /** The machine goes down: leaves in order, without a question. */
  leave(): void;
}

/** Follows the machine's sleep. */
export function followPower({ monitor, logger, lookAtClock, leave }: PowerParts): void {
  monitor.on('suspend', () => logger.info('System is going to sleep'));
  monitor.on('resume', () => {
    logger.info('System woke up');
    lookAtClock();
  });
  monitor.on('shutdown', () => leave());
}
