import type { Clock } from '../../base/clock.ts';
import { OutputTimes } from './timed-logs.ts';
import type {
  AttachRequest,
  LaunchedProcess,
  LaunchRequest,
  ProcessLauncher,
} from '../../process/launcher.ts';

/** Records when the processes of a launcher, started or reattached, write output. */
export class TimedLauncher implements ProcessLauncher {
  readonly #inner: ProcessLauncher;
  readonly #times: OutputTimes;

  constructor(inner: ProcessLauncher, clock: Clock) {
    this.#inner = inner;
    this.#times = new OutputTimes(clock);
  }

  async launch(request: LaunchRequest): ReturnType<ProcessLauncher['launch']> {
    const launched = await this.#inner.launch(request);
    return launched.ok ? { ...launched, value: this.#watch(request.attemptDir, launched.value) } : launched;
  }

  attach(request: AttachRequest): LaunchedProcess | undefined {
    const attached = this.#inner.attach(request);
    return attached && this.#watch(request.attemptDir, attached);
  }

  release(): void {
    this.#inner.release();
  }

  #watch(folder: string, launched: LaunchedProcess): LaunchedProcess {
    const stopWatch = this.#times.watch(folder);
    const timedEnd = launched.ended.then(async (end) => {
      await stopWatch();
      return end;
    });
    const { pid, pidStart } = launched;
    return { pid, pidStart, ended: timedEnd, stop: () => launched.stop(), kill: () => launched.kill() };
  }
}
