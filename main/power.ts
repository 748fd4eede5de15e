import type { PowerMonitor, PowerSaveBlocker } from 'electron';
import type { Logger } from '../core/base/logger.ts';

/** Reactions of the app to sleep and shutdown of the machine. */
export interface PowerDeps {
  readonly monitor: Pick<PowerMonitor, 'on'>;
  readonly logger: Logger;
  /** Checks the schedules immediately. The engine also detects a clock jump by itself, within a second. */
  onClockChanged(): void;
  /** The machine shuts down: quits gracefully, without a question. */
  leave(): void;
}

/** Follows the machine's sleep and shutdown. */
export function followPower({ monitor, logger, onClockChanged, leave }: PowerDeps): void {
  monitor.on('suspend', () => logger.info('System is going to sleep'));
  monitor.on('resume', () => {
    logger.info('System woke up');
    onClockChanged();
  });
  monitor.on('shutdown', () => leave());
}

/** Prevents the machine from sleeping while runs are active, if the user has enabled that. */
export class KeepAwake {
  readonly #blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
  #id: number | undefined;

  constructor(blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>) {
    this.#blocker = blocker;
  }

  get isOn(): boolean {
    return this.#id !== undefined;
  }

  /** The display may still turn off. */
  set(isEnabled: boolean): void {
    if (isEnabled) this.#id ??= this.#blocker.start('prevent-app-suspension');
    else if (this.#id !== undefined) {
      this.#blocker.stop(this.#id);
      this.#id = undefined;
    }
  }
}
