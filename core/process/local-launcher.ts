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
    const launched = new LocalProcess(child, { request, exited, clock: this.#clock, sweeper: this.#sweeper });
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

interface LocalProcessDeps {
  readonly request: LaunchRequest;
  readonly exited: Promise<ExitResult>;
  readonly clock: Clock;
  readonly sweeper: Sweeper;
}

class LocalProcess implements LaunchedProcess {
  readonly pid: number;
  readonly pidStart: string;
  readonly ended: Promise<ExitResult>;
  readonly #deps: LocalProcessDeps;
  #exited = false;
  #target: SweepTarget | undefined;
  #swept: Promise<void> | undefined;

  constructor({ pid, pidStart, relay }: SpawnedChild, deps: LocalProcessDeps) {
    this.pid = pid;
    this.pidStart = pidStart;
    this.#deps = deps;
    this.ended = deps.exited.then(async (end) => {
      await this.#cleanUp();
      return relay ? drainRelay(end, relay, { ...deps.request, clock: deps.clock }) : end;
    });
  }

  stop(): void {
    if (this.#exited || this.#target) return;
    const { request } = this.#deps;
    signalGroup(this.pid, request.stopSignal);
    this.#sweep(request.stopSignal, request.cleanUpMs, true);
  }

  kill(): void {
    // The pid is ours only until the leader is reaped; after that the sweeper tracks the rest.
    if (!this.#exited) signalGroup(this.pid, 'SIGKILL');
    if (this.#target) this.#target.killAt = this.#deps.clock.monotonic();
    else if (!this.#exited) this.#sweep('SIGKILL', 0, true);
  }

  /** Runs after the leader's end: its group must have ended as well before the step counts as ended. */
  async #cleanUp(): Promise<void> {
    this.#exited = true;
    const { request } = this.#deps;
    // While a member is alive, the system does not reuse the group's number.
    if (!this.#target && hasMembers(this.pid)) {
      signalGroup(this.pid, 'SIGTERM');
      this.#sweep('SIGTERM', request.cleanUpMs, false);
    }
    await this.#swept;
  }

  #sweep(signal: NodeJS.Signals, afterMs: number, escapedToo: boolean): void {
    const { request, clock, sweeper } = this.#deps;
    const killAt = clock.monotonic() + afterMs;
    this.#target = { tag: request.attemptDir, group: this.pid, signal, escapedToo, killAt };
    this.#swept = sweeper.watch(this.#target);
  }
}
