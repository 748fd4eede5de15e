import { AppError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { HomePaths } from '../config/home.ts';
import type { DispatchStore } from '../distributed/ports.ts';

/** Dependencies of the task store of a home. */
export interface TasksWiring {
  readonly paths: HomePaths;
  readonly clock: Clock;
}

/** The store of worker tasks. Loads nothing before it is used: most hosts never do. */
export class LazyTasks {
  readonly #wiring: TasksWiring;
  #opened: Promise<DispatchStore> | undefined;
  #isClosed = false;

  constructor(wiring: TasksWiring) {
    this.#wiring = wiring;
  }

  /** Rejects with `unavailable` after `close`. */
  readonly open = async (): Promise<DispatchStore> => {
    if (this.#isClosed) throw new AppError('unavailable', 'The engine is shutting down.');
    return await (this.#opened ??= this.#load());
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#opened?.catch(() => undefined))?.close();
  }

  async #load(): Promise<DispatchStore> {
    const { paths, clock } = this.#wiring;
    const { openDispatch } = await import('../distributed/store/open-dispatch.ts');
    const { database: file, databaseUrl: url } = paths;
    return openDispatch(url === undefined ? { file } : { url }, clock);
  }
}
