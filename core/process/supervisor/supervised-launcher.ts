import type { Clock } from '../../base/clock.ts';
import type { Health } from '../../base/health.ts';
import type { Logger } from '../../base/logger.ts';
import { fail, succeed, type Result } from '../../base/result.ts';
import { attachProcess, WatchedProcess, type AttachDeps } from '../exits/watched-process.ts';
import { ExitWatch } from '../exits/exit-watch.ts';
import { explainLaunchError } from '../launch/launch-failure.ts';
import type {
  AttachRequest,
  LaunchedProcess,
  LaunchFailure,
  LaunchRequest,
  ProcessLauncher,
} from '../launch/launcher.ts';
import { LocalLauncher } from '../launch/local-launcher.ts';
import { openRelayedOutput, drainRelay, type RunningRelay } from '../output/relayed-output.ts';
import type { PipeMaker } from '../output/pipes.ts';
import { lockOf, tryToStart, type StartFailure, type StartLock } from '../launch/start-tries.ts';
import { Sweeper } from '../kill/sweeper.ts';
import { startSupervised } from './supervised-start.ts';
import { hasSupervisor, startSupervisor, type SupervisorProcess } from './start-supervisor.ts';
import { SupervisorLink } from './supervisor-link.ts';

/** Dependencies of a launcher with a supervisor. */
export interface SupervisedLauncherDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** A supervisor that was started in advance. */
  readonly supervisor?: SupervisorProcess | undefined;
  /** Receives the problem of a supervisor that does not respond. */
  readonly health?: Health | undefined;
  /** Starts a supervisor; throws the system error. */
  readonly start?: () => SupervisorProcess;
}

/** Consecutive supervisors that failed to start, after which no more are started. */
const maxFailures = 3;

/**
 * Starts step processes through a supervisor process, which is started with the first of them and again after it was
 * lost. If no supervisor can be started, this process starts them itself, like `LocalLauncher`.
 */
export class SupervisedLauncher implements ProcessLauncher {
  readonly #parts: Required<Omit<SupervisedLauncherDeps, 'supervisor' | 'health'>> &
    Pick<SupervisedLauncherDeps, 'health'>;
  readonly #deps: AttachDeps;
  readonly #local: LocalLauncher;
  readonly #relays = new Set<RunningRelay>();
  #link: SupervisorLink | undefined;
  #failures = 0;

  constructor(deps: SupervisedLauncherDeps) {
    const { clock, supervisor } = deps;
    this.#parts = { start: startSupervisor, ...deps };
    if (supervisor) this.#connect(() => supervisor);
    this.#deps = { clock, sweeper: new Sweeper(clock), exits: new ExitWatch(clock) };
    this.#local = new LocalLauncher(clock);
  }

  /** Pid of its supervisor, if there is one. */
  get supervisorPid(): number | undefined {
    return this.#link?.pid;
  }

  /** Starts the supervisor if there is none, so that the first step need not wait for it. */
  prepare(): void {
    this.#connect();
  }

  async launch(request: LaunchRequest): Promise<Result<LaunchedProcess, LaunchFailure>> {
    const fence = lockOf(request);
    return tryToStart(request, this.#deps.clock, () => this.#tryLaunch(request, fence));
  }

  attach(request: AttachRequest): LaunchedProcess | undefined {
    return attachProcess(request, this.#deps);
  }

  release(): void {
    this.#link?.close();
    this.#link = undefined;
    this.#deps.exits.close();
    for (const relay of this.#relays) relay.unref();
    this.#local.release();
  }

  async #tryLaunch(request: LaunchRequest, fence: StartLock): Promise<Result<LaunchedProcess, StartFailure>> {
    // Neither a terminal nor a part of in-process work can continue without the engine.
    const isBound = request.terminal !== undefined || request.isPart === true;
    const link = isBound ? undefined : this.#connect();
    if (link === undefined) return this.#launchLocally(request, fence);
    if (request.relay) return this.#launchRelayed(request, { link, fence });
    const started = await startSupervised(request, { ...this.#deps, link, fence });
    if (!started.ok) return started;
    const onStop = (): void => link.challenge();
    return succeed(new WatchedProcess(started.value, { ...this.#deps, request, onStop }));
  }

  async #launchLocally(
    request: LaunchRequest,
    fence: StartLock,
  ): Promise<Result<LaunchedProcess, StartFailure>> {
    const launched = await this.#local.launch(request, fence);
    return launched.ok ? launched : fail({ failure: launched.error, mayPass: false });
  }

  /** Starts a process whose output the engine reads from pipes that both open by name. */
  async #launchRelayed(
    request: LaunchRequest,
    { link, fence }: { readonly link: SupervisorLink; readonly fence: StartLock },
  ): Promise<Result<LaunchedProcess, StartFailure>> {
    const { attemptDir, relay = { copies: {} } } = request;
    let output: Awaited<ReturnType<typeof openRelayedOutput>>;
    try {
      output = await openRelayedOutput(attemptDir, relay, { fence, makePipes: askForPipes(link) });
    } catch (error) {
      return fail(explainLaunchError(error, request));
    }
    const pipes = output.pipes?.map(({ path }) => path);
    const started = pipes && (await startSupervised(request, { ...this.#deps, link, fence, pipes }));
    if (!started?.ok) {
      await output.discard();
      // Only a child of this process can use Node's sockets instead of pipes.
      return started ?? this.#launchLocally(request, fence);
    }
    const running = output.begin();
    this.#relays.add(running);
    const launched = new WatchedProcess(started.value, {
      ...this.#deps,
      request,
      onStop: () => link.challenge(),
      settle: (end) => drainRelay(end, running, { ...request, ...this.#deps }),
    });
    void launched.ended.then(() => this.#relays.delete(running));
    return succeed(launched);
  }

  #connect(start = this.#parts.start): SupervisorLink | undefined {
    if (this.#link || !hasSupervisor || this.#failures >= maxFailures) return this.#link;
    try {
      const events = {
        onLost: () => this.#onLost(link),
        onSilence: (isSilent: boolean) => this.#reportSilence(link.pid, isSilent),
      };
      const link = new SupervisorLink(start(), events, this.#parts.clock);
      this.#link = link;
    } catch (error) {
      this.#countFailure((error as Error).message);
    }
    return this.#link;
  }

  #onLost(link: SupervisorLink): void {
    if (this.#link === link) this.#link = undefined;
    if (link.wasReady) {
      this.#failures = 0;
      this.#parts.logger.warn(
        link.wasGivenUp
          ? 'The step supervisor does not respond and was replaced; its steps continue'
          : 'The step supervisor ended unexpectedly; its steps continue',
        { pid: link.pid },
      );
    } else this.#countFailure('ended before it was ready');
  }

  #reportSilence(pid: number, isSilent: boolean): void {
    const { logger, health } = this.#parts;
    if (!isSilent) {
      health?.clear('supervisor_unresponsive');
      return logger.warn('The step supervisor responds again', { pid });
    }
    const message = `The step supervisor (process ${pid}) does not respond, so steps cannot start or end. If it is suspended, resume it with kill -CONT ${pid}; otherwise end it with kill -KILL ${pid}.`;
    health?.report('supervisor_unresponsive', message);
    logger.warn(message);
  }

  #countFailure(reason: string): void {
    this.#failures += 1;
    if (this.#failures < maxFailures) return;
    this.#parts.logger.warn(
      'Cannot start a step supervisor; steps run in this process and may be lost with it',
      { reason },
    );
  }
}

/** The supervisor creates them, because starting a program from a large process is slow. */
const askForPipes =
  (link: SupervisorLink): PipeMaker =>
  (paths) =>
    new Promise<void>((resolve, reject) => {
      const rejectPipes = (code: string | undefined): void =>
        reject(Object.assign(new Error('no named pipes'), { code }));
      link.send(
        { type: 'create-pipes', paths },
        {
          onEvent: (report) => (report.type === 'pipes-failed' ? rejectPipes(report.code) : resolve()),
          onDisconnect: () => rejectPipes('EAGAIN'),
        },
      );
    });
