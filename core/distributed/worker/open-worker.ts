import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import { AppError, formatFsError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { DatabasePort } from '../../executors/executor.ts';
import { SupervisedLauncher } from '../../process/supervisor/supervised-launcher.ts';
import type { Labels } from '../../store/types/dispatch.ts';
import { Coordinators } from './coordinators.ts';
import { TlsFiles, type TlsPaths } from './tls-files.ts';
import { WorkerApi } from './worker-api.ts';
import { Worker } from './worker.ts';
import { WorkerFolder } from './worker-folder.ts';

/** Configuration of a worker. */
export interface WorkerOptions {
  readonly coordinators: readonly string[];
  readonly labels: Labels;
  readonly slots?: number | undefined;
  readonly id?: string | undefined;
  readonly token?: string | undefined;
  /** Absolute path; read whenever the token is needed. */
  readonly tokenFile?: string | undefined;
  readonly tls: TlsPaths;
  /** Absolute path; created if missing. */
  readonly folder: string;
  readonly keepLostDays: number;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The worker's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly databases: DatabasePort;
}

/** A worker in this process. */
export interface RunningWorker extends Pick<Worker, 'run' | 'drain' | 'stopSteps' | 'abandon' | 'tasks'> {
  readonly slots: number;
  /** Releases its directory. Undrained steps continue to run. */
  close(): void;
}

/**
 * Creates a worker without connecting. Rejects with `bad_request` for missing or invalid options, `home_unusable` and
 * `still_running` for its directory.
 */
export async function openWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { clock, logger, version, labels, environment, databases } = options;
  const urls = checkAddresses(options.coordinators);
  const tls = new TlsFiles(options.tls);
  const slots = options.slots ?? availableParallelism();
  const token = (): string | undefined => readToken(options);
  // Reports an unreadable file now instead of when joining.
  token();
  const folder = WorkerFolder.open(options.folder);
  try {
    const id = folder.chooseId(options.id ?? tls.certificateName());
    const coordinators = new Coordinators(urls, tls, clock, logger, Math.random);
    const launcher = new SupervisedLauncher({ clock, logger });
    launcher.prepare();
    const worker = await Worker.open({
      ...{ folder, coordinators, tls, clock, logger, token },
      info: { id, labels, slots, version },
      api: new WorkerApi(coordinators),
      context: { launcher, databases, environment, cacheDir: folder.cache },
      keepLostDays: options.keepLostDays,
    });
    return Object.assign(worker, {
      slots,
      close() {
        launcher.release();
        folder.close();
      },
    });
  } catch (error) {
    folder.close();
    throw error;
  }
}

function checkAddresses(urls: readonly string[]): readonly string[] {
  if (urls.length === 0)
    throw new AppError('bad_request', 'No coordinator specified. Use --coordinator URL.', {
      details: { hint: 'engine worker --coordinator https://box:8190 --token-file token.txt' },
    });
  for (const url of urls) {
    const known = URL.canParse(url) ? new URL(url) : undefined;
    if (known === undefined || !/^https?:$/.test(known.protocol))
      throw new AppError('bad_request', `Invalid coordinator URL "${url}". Example: https://box:8190`);
    if (known.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(known.hostname))
      throw new AppError(
        'bad_request',
        `${url} would send steps and their secrets unencrypted. Use https for coordinators on other machines.`,
      );
  }
  return urls;
}

function readToken({ token, tokenFile }: Pick<WorkerOptions, 'token' | 'tokenFile'>): string | undefined {
  if (tokenFile === undefined) return token;
  if (token !== undefined)
    throw new AppError('bad_request', 'Options --token and --token-file cannot be used together.');
  try {
    return readFileSync(tokenFile, 'utf8').trim() || undefined;
  } catch (error) {
    throw new AppError('bad_request', `Cannot read the token file ${tokenFile}: ${formatFsError(error)}`, {
      cause: error,
    });
  }
}
