import { statfsSync, statSync } from 'node:fs';
import type { Clock, Dispose } from '../base/clock.ts';
import type { Health } from '../base/health.ts';
import type { Logger } from '../base/logger.ts';
import { timings } from '../base/timings.ts';
import type { HomePaths } from '../home/config/home.ts';

/** With less free space, writes of a run can fail at any time. Bytes. */
const minFreeBytes = 1024 * 1024;

/**
 * Detects that the home was removed, replaced or moved, or that its disk is full. An open database file that was
 * deleted accepts writes as before, and all of them are lost when the process ends.
 */
export class HomeWatch {
  readonly #paths: Pick<HomePaths, 'home' | 'database' | 'databaseUrl'>;
  readonly #health: Health;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** The path that must stay the same: the database file, or the home when the database is on a server. */
  readonly #anchor: string;
  readonly #identity: string | undefined;
  #isLost = false;
  #isFull = false;
  #stop: Dispose | undefined;

  constructor(
    paths: Pick<HomePaths, 'home' | 'database' | 'databaseUrl'>,
    health: Health,
    clock: Clock,
    logger: Logger,
  ) {
    this.#paths = paths;
    this.#health = health;
    this.#clock = clock;
    this.#logger = logger;
    const { home, database, databaseUrl } = paths;
    this.#anchor = databaseUrl === undefined ? database : home;
    this.#identity = identify(this.#anchor);
  }

  start(): void {
    this.#stop ??= this.#clock.every(timings.homeLook, () => {
      this.check();
      this.#checkDiskSpace();
    });
  }

  close(): void {
    this.#stop?.();
  }

  /** @throws `home_unusable` when writes would be lost */
  require(): void {
    this.check();
    this.#health.requireHome();
  }

  /** Reports or clears `home_unusable`. */
  check(): void {
    const { home } = this.#paths;
    const isLost = this.#identity !== undefined && identify(this.#anchor) !== this.#identity;
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    if (!isLost) {
      this.#health.clear('home_unusable');
      this.#logger.warn('The home directory is available again', { home });
      return;
    }
    const message = `The home ${home} was removed or replaced while the engine was running. Restore it, or restart the engine.`;
    this.#health.report('home_unusable', message);
    this.#logger.error(message, { file: this.#anchor });
  }

  #checkDiskSpace(): void {
    const { home } = this.#paths;
    const free = findFreeBytes(home);
    const isFull = free !== undefined && free < minFreeBytes;
    if (isFull) this.#health.report('storage_full', `The disk of the home ${home} is full. Free some space.`);
    else if (this.#isFull) this.#health.clear('storage_full');
    this.#isFull = isFull;
  }
}

/** Returns undefined when the path does not exist. */
function identify(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function findFreeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
