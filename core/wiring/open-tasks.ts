import { AppError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { HomePaths } from '../config/home.ts';
import type { DispatchStore } from '../distributed/ports.ts';

/** What the store of a home's tasks is opened with. */
export interface TasksWiring {
  readonly paths: HomePaths;
  readonly clock: Clock;
}

/** Where work for workers is kept. Nothing of it is loaded before it is asked for: most hosts never do. */
export class TasksOpener {
  readonly #wiring: TasksWiring;
  #opened: Promise<DispatchStore> | undefined;
  #isClosed = false;

  constructor(wiring: TasksWiring) {
    this.#wiring = wiring;
  }

  /** Rejects with `unavailable` once it has been closed. */
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
