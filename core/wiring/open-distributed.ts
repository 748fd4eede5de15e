import type { Clock } from '../base/clock.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import type { Logger } from '../base/logger.ts';
import { RemoteDriver } from '../distributed/driver/remote-driver.ts';
import type { TaskFiles } from '../distributed/files-port.ts';
import type { DispatchStore } from '../distributed/ports.ts';

/** What hosts do with workers. Nothing of it is loaded before a run needs it: most never do. */
export class DistributedOpener {
  readonly driver: RemoteDriver;
  readonly #config: EngineConfig;
  #files: Promise<TaskFiles> | undefined;

  constructor(parts: {
    readonly config: EngineConfig;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly tasks: () => Promise<DispatchStore>;
  }) {
    this.#config = parts.config;
    this.driver = new RemoteDriver({ ...parts, files: this.files });
  }

  /** Where the logs of what workers do are, and the artifacts of runs. */
  readonly files = (): Promise<TaskFiles> => (this.#files ??= openFiles(this.#config));
}

async function openFiles({ objectStore }: EngineConfig): Promise<TaskFiles> {
  const { openTaskFiles } = await import('../distributed/files/open-task-files.ts');
  return openTaskFiles({ url: objectStore.url });
}
