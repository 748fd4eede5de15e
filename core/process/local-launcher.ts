import type { Clock } from '../base/clock.ts';
import { succeed, type Result } from '../base/errors.ts';
import { attachProcess, recordEnd, ExitWatch } from './exits.ts';
import { hasMembers, signalGroup, Sweeper, type SweepTarget } from './kill.ts';
import type {
  AttachRequest,
  LaunchedProcess,
  LaunchFailure,
  LaunchRequest,
  ExitResult,
  ProcessLauncher,
} from './launcher.ts';
import { drainRelay } from './relayed-output.ts';
import { spawnStep, type SpawnedChild, type ExitListener, getLock, type StartLock } from './spawn.ts';

/** Starts step processes from this process. */
export class LocalLauncher implements ProcessLauncher {
  readonly #clock: Clock;
  readonly #sweeper: Sweeper;
  readonly #exits: ExitWatch;
  readonly #children = new Set<SpawnedChild>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sweeper = new Sweeper(clock);
    this.#exits = new ExitWatch(clock);
  }

  /** @param fence already passed when an earlier try has created the attempt's stdout file */
  async launch(
    request: LaunchRequest,
    fence: StartLock = getLock(request),
  ): Promise<Result<LaunchedProcess, LaunchFailure>> {
    let finish: (result: ExitResult) => void = () => {};
    const exited = new Promise<ExitResult>((resolve) => (finish = resolve));
    const isRelayed = request.relay !== undefined || request.terminal !== undefined;
    const onExit: ExitListener = (exit) => {
      const end = { ...exit, finishedAt: this.#clock.now() };
      // The store gets the same data a moment later; only a takeover in between would miss it. With a relay, the end of
      // the attempt depends on more than the process.
      if (!isRelayed && request.isPart !== true) recordEnd(request.attemptDir, end);
      finish(end);
    };
    const spawned = await spawnStep(request, { clock: this.#clock, fence, onExit });
    if (!spawned.ok) return spawned;
    const child = spawned.value;
    const launched = new LocalProcess(child, request, exited, this.#clock, this.#sweeper);
    this.#children.add(child);
    void launched.ended.then(() => this.#children.delete(child));
    return succeed(launched);
  }

  attach(request: AttachRequest): LaunchedProcess | undefined {
    return attachProcess(request, { clock: this.#clock, sweeper: this.#sweeper, exits: this.#exits });
  }

  release(): void {
    this.#exits.close();
    for (const { unref, relay } of this.#children) {
      unref();
      relay?.unref();
    }
  }
}

class LocalProcess implements LaunchedProcess {
  readonly pid: number;
  readonly pidStart: string;
  readonly ended: Promise<ExitResult>;
  readonly #request: LaunchRequest;
  readonly #clock: Clock;
  readonly #sweeper: Sweeper;
  #exited = false;
  #target: SweepTarget | undefined;
  #swept: Promise<void> | undefined;

  constructor(
    { pid, pidStart, relay }: SpawnedChild,
    request: LaunchRequest,
    exited: Promise<ExitResult>,
    clock: Clock,
    sweeper: Sweeper,
  ) {
    this.pid = pid;
    this.pidStart = pidStart;
    this.#request = request;
    this.#clock = clock;
    this.#sweeper = sweeper;
    this.ended = exited.then(async (end) => {
      await this.#cleanUp();
      return relay ? drainRelay(end, relay, { ...request, clock }) : end;
    });
  }

  stop(): void {
    if (this.#exited || this.#target) return;
    signalGroup(this.pid, this.#request.stopSignal);
    this.#sweep(this.#request.stopSignal, this.#request.cleanUpMs, true);
  }

  kill(): void {
    // The pid is ours only until the leader is reaped; after that the sweeper tracks the rest.
    if (!this.#exited) signalGroup(this.pid, 'SIGKILL');
    if (this.#target) this.#target.killAt = this.#clock.monotonic();
    else if (!this.#exited) this.#sweep('SIGKILL', 0, true);
  }

  /** Runs after the leader's end: its group must have ended as well before the step counts as ended. */
  async #cleanUp(): Promise<void> {
    this.#exited = true;
    // While a member is alive, the system does not reuse the group's number.
    if (!this.#target && hasMembers(this.pid)) {
      signalGroup(this.pid, 'SIGTERM');
      this.#sweep('SIGTERM', this.#request.cleanUpMs, false);
    }
    await this.#swept;
  }

  #sweep(signal: NodeJS.Signals, afterMs: number, escapedToo: boolean): void {
    const killAt = this.#clock.monotonic() + afterMs;
    this.#target = { tag: this.#request.attemptDir, group: this.pid, signal, escapedToo, killAt };
    this.#swept = this.#sweeper.watch(this.#target);
  }
}
