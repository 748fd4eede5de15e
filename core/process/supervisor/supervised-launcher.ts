import { wait } from '../../base/wait.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Health } from '../../base/health.ts';
import type { Logger } from '../../base/logger.ts';
import { fail, succeed, type Result } from '../../base/errors.ts';
import { attemptFiles } from '../../model/run.ts';
import { attachProcess, WatchedProcess, type WatchTools, ExitWatch, findLeader } from '../exits.ts';
import { explainLaunchError } from '../launch-failure.ts';
import type {
  AttachRequest,
  LaunchedProcess,
  LaunchFailure,
  LaunchRequest,
  ProcessLauncher,
  ProcessWatcher,
  ExitResult,
} from '../launcher.ts';
import { LocalLauncher } from '../local-launcher.ts';
import { openRelayedOutput, drainRelay, type RunningRelay } from '../relayed-output.ts';
import type { PipeMaker } from '../output-files.ts';
import { checkSize, getLock, StartTries, type StartFailure, type StartLock } from '../spawn.ts';
import { Sweeper } from '../kill.ts';
import type { ProcessIdentity } from '../process-table.ts';
import { hasSupervisor, startSupervisor, type SupervisorProcess, SupervisorLink } from './supervisor-link.ts';
import type { SupervisorEvent } from './protocol.ts';

/** Dependencies of a launcher with a supervisor. */
export interface SupervisedLauncherOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** A supervisor that was started in advance. */
  readonly supervisor?: SupervisorProcess | undefined;
  /** Receives the problem of a supervisor that does not respond. */
  readonly health?: Health | undefined;
  /** Starts a supervisor; throws the system error. */
  readonly start?: () => SupervisorProcess;
  readonly watchers?: readonly ProcessWatcher[];
}

/** Consecutive supervisors that failed to start, after which no more are started. */
const maxFailures = 3;

/**
 * Starts step processes through a supervisor process, which is started with the first of them and again after it was
 * lost. If no supervisor can be started, this process starts them itself, like `LocalLauncher`.
 */
export class SupervisedLauncher implements ProcessLauncher {
  readonly #parts: Required<Omit<SupervisedLauncherOptions, 'supervisor' | 'health'>> &
    Pick<SupervisedLauncherOptions, 'health'>;
  readonly #tools: WatchTools;
  readonly #local: LocalLauncher;
  readonly #relays = new Set<RunningRelay>();
  #link: SupervisorLink | undefined;
  #failures = 0;

  constructor(tools: SupervisedLauncherOptions) {
    const { clock, supervisor } = tools;
    this.#parts = { start: startSupervisor, watchers: [], ...tools };
    if (supervisor) this.#connect(() => supervisor);
    this.#tools = { clock, sweeper: new Sweeper(clock), exits: new ExitWatch(clock) };
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
    const tooLarge = checkSize(request);
    if (tooLarge !== undefined) return fail(tooLarge);
    const fence = getLock(request);
    const tries = new StartTries(request, this.#tools.clock);
    for (;;) {
      const launched = await this.#tryLaunch(request, fence);
      if (launched.ok) return succeed(this.#watch(request, launched.value));
      const failure = await tries.waitAfter(launched.error);
      if (failure !== undefined) return fail(failure);
    }
  }

  attach(request: AttachRequest): LaunchedProcess | undefined {
    const attached = attachProcess(request, this.#tools);
    return attached && this.#watch(request, attached);
  }

  release(): void {
    this.#link?.close();
    this.#link = undefined;
    this.#tools.exits.close();
    for (const relay of this.#relays) relay.unref();
    this.#local.release();
  }

  #watch({ attemptDir }: Pick<LaunchRequest, 'attemptDir'>, launched: LaunchedProcess): LaunchedProcess {
    if (this.#parts.watchers.length === 0) return launched;
    const { pid, pidStart } = launched;
    const ending = this.#parts.watchers.map((watch) => watch({ pid, attemptDir }));
    const ended = launched.ended.then(async (end) => {
      for (const finish of ending) await finish();
      return end;
    });
    return { pid, pidStart, ended, stop: () => launched.stop(), kill: () => launched.kill() };
  }

  async #tryLaunch(request: LaunchRequest, fence: StartLock): Promise<Result<LaunchedProcess, StartFailure>> {
    // Neither a terminal nor a part of in-process work can continue without the engine.
    const isBound = request.terminal !== undefined || request.isPart === true;
    const link = isBound ? undefined : this.#connect();
    if (link === undefined) return this.#launchLocally(request, fence);
    if (request.relay) return this.#launchRelayed(request, { link, fence });
    const started = await startSupervised(request, { ...this.#tools, link, fence });
    if (!started.ok) return started;
    const onStop = (): void => link.challenge();
    return succeed(new WatchedProcess(started.value, { ...this.#tools, request, onStop }));
  }

  async #launchLocally(
    request: LaunchRequest,
    fence: StartLock,
  ): Promise<Result<LaunchedProcess, StartFailure>> {
    const launched = await this.#local.launch(request, fence);
    return launched.ok ? launched : fail({ failure: launched.error, isTransient: false });
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
    const started = pipes && (await startSupervised(request, { ...this.#tools, link, fence, pipes }));
    if (!started?.ok) {
      await output.discard();
      // Only a child of this process can use Node's sockets instead of pipes.
      return started ?? this.#launchLocally(request, fence);
    }
    const running = output.begin();
    this.#relays.add(running);
    const launched = new WatchedProcess(started.value, {
      ...this.#tools,
      request,
      onStop: () => link.challenge(),
      settle: (end) => drainRelay(end, running, { ...request, ...this.#tools }),
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

/** A process that a supervisor has started. */
export interface SupervisedChild extends ProcessIdentity {
  /** Reported by the supervisor; after its loss, from the process table and the exit journal. */
  readonly exited: Promise<ExitResult>;
}

/** Input of a start in addition to the request. */
export interface StartTools {
  readonly link: SupervisorLink;
  readonly clock: Clock;
  readonly exits: ExitWatch;
  readonly fence: StartLock;
  /** See `StartCommand`. */
  readonly pipes?: readonly string[] | undefined;
}

/** Time for the tag of a process to appear if its supervisor died while starting it, in milliseconds. */
const appearMs = 100;

/** Starts a process through the supervisor, once. Never rejects. */
function startSupervised(
  { argv, env, cwd, attemptDir }: LaunchRequest,
  tools: StartTools,
): Promise<Result<SupervisedChild, StartFailure>> {
  const { link, exits, fence, pipes } = tools;
  return new Promise((resolve) => {
    const exited = Promise.withResolvers<ExitResult>();
    let started: ProcessIdentity | undefined;
    const command = {
      type: 'start',
      argv,
      env,
      cwd,
      attemptDir,
      pipes,
      isLockAcquired: fence.isPassed,
    } as const;
    link.send(command, {
      onEvent(report: SupervisorEvent) {
        if (report.type === 'started') {
          const { pid, pidStart } = (started = report);
          resolve(succeed({ pid, pidStart, exited: exited.promise }));
        } else if (report.type === 'ended') {
          const { id: _id, type: _tells, ...end } = report;
          exited.resolve(end);
        } else if (report.type === 'refused') {
          fence.isPassed = report.isLockAcquired;
          resolve(fail({ failure: report.failure, isTransient: report.isTransient }));
        }
      },
      onDisconnect() {
        if (started) exited.resolve(exits.watch({ ...started, attemptDir }));
        else void findOut(argv[0] ?? '', attemptDir, tools).then(resolve);
      },
    });
  });
}

/** Determines the outcome of a start whose supervisor died before it reported. */
async function findOut(
  program: string,
  attemptDir: string,
  { clock, exits, fence, pipes }: StartTools,
): Promise<Result<SupervisedChild, StartFailure>> {
  await wait(clock, appearMs);
  const leader = findLeader(attemptDir);
  if (leader) return succeed({ ...leader, exited: exits.watch({ ...leader, attemptDir }) });
  // The log file is created before anything is started: without it, nothing was, and another supervisor may start the
  // process.
  const mayHaveRun = pipes !== undefined || existsSync(join(attemptDir, attemptFiles.stdout));
  const failure = {
    reason: 'other',
    message: mayHaveRun
      ? `the step supervisor was killed while it was starting "${program}", which may have run`
      : `the step supervisor was killed before it started "${program}"`,
  } as const;
  // After a rejected try has passed the fence, the file no longer records whether something was started.
  return fail({ failure, isTransient: !mayHaveRun && !fence.isPassed });
}
