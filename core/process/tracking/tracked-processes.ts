import type { Result } from '../../base/result.ts';
import type {
  AttachRequest,
  LaunchedProcess,
  LaunchFailure,
  LaunchRequest,
  ProcessLauncher,
} from '../launch/launcher.ts';

/** The first process of an attempt, while it is alive. */
export interface TrackedProcess {
  readonly pid: number;
  /** Absolute path. */
  readonly attemptDir: string;
}

/**
 * A launcher that tracks which of its processes are alive, for systems where the attempt of a process cannot be read.
 */
export class TrackedProcesses implements ProcessLauncher {
  readonly #launcher: ProcessLauncher;
  readonly #living = new Set<TrackedProcess>();

  constructor(launcher: ProcessLauncher) {
    this.#launcher = launcher;
  }

  list(): readonly TrackedProcess[] {
    return [...this.#living];
  }

  async launch(request: LaunchRequest): Promise<Result<LaunchedProcess, LaunchFailure>> {
    const launched = await this.#launcher.launch(request);
    if (launched.ok) this.#keep(launched.value, request);
    return launched;
  }

  attach(request: AttachRequest): LaunchedProcess | undefined {
    const attached = this.#launcher.attach(request);
    if (attached) this.#keep(attached, request);
    return attached;
  }

  release(): void {
    this.#launcher.release();
  }

  #keep({ pid, ended }: LaunchedProcess, { attemptDir }: Pick<LaunchRequest, 'attemptDir'>): void {
    const tracked = { pid, attemptDir };
    this.#living.add(tracked);
    void ended.then(() => this.#living.delete(tracked));
  }
}
