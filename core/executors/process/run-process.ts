import { messageOf } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { AttemptExit } from '../../model/run/run-event.ts';
import type { LaunchedProcess, LaunchRequest, ExitResult } from '../../process/launch/launcher.ts';
import { parseSignal } from '../../process/kill/signals.ts';
import { describeFailure } from '../failure-text.ts';
import type { RunningStep, StepContext } from '../executor.ts';

/** A process that an executor wants to run. */
export interface ProcessPlan extends Pick<LaunchRequest, 'argv' | 'verbatimArguments'> {
  /** Variables in addition to the step's own. */
  readonly extraEnv?: Readonly<Record<string, string>>;
  /** Called when the process has ended or could not be started; must not throw. */
  readonly cleanUp?: () => void;
}

/**
 * Runs one process as the whole attempt. `prepare` returns the process to run; if it throws, the message is the
 * attempt's error.
 */
export function runProcess(
  context: StepContext,
  prepare: () => ProcessPlan | Promise<ProcessPlan>,
): RunningStep {
  const attempt = new ProcessAttempt(context);
  return {
    ended: attempt.run(prepare),
    stop: () => attempt.end('stop'),
    kill: () => attempt.end('kill'),
  };
}

class ProcessAttempt {
  readonly #context: StepContext;
  #process: LaunchedProcess | undefined;
  /** Requested end, possibly before the process was started. */
  #wanted: 'stop' | 'kill' | undefined;

  constructor(context: StepContext) {
    this.#context = context;
  }

  end(how: 'stop' | 'kill'): void {
    this.#wanted = how === 'kill' ? 'kill' : (this.#wanted ?? 'stop');
    this.#process?.[how]();
  }

  async run(prepare: () => ProcessPlan | Promise<ProcessPlan>): Promise<AttemptExit> {
    let plan: ProcessPlan | undefined;
    try {
      plan = await prepare();
      if (this.#wanted) return { error: 'stopped before the process started' };
      return await this.#runPlan(plan);
    } catch (error) {
      return { error: messageOf(error) };
    } finally {
      plan?.cleanUp?.();
    }
  }

  async #runPlan(plan: ProcessPlan): Promise<AttemptExit> {
    const { launcher, attemptDir, onSpawned } = this.#context;
    const launched = await launcher.launch(this.#buildRequest(plan));
    if (!launched.ok) return { error: launched.error.message };
    this.#process = launched.value;
    failPoint('attempt.spawned');
    onSpawned(launched.value.pid, launched.value.pidStart);
    if (this.#wanted) launched.value[this.#wanted]();
    const end = await launched.value.ended;
    const failure = describeFailure(end, {
      attemptDir,
      wasStopped: this.#wanted !== undefined,
      hasTerminal: this.#context.step.terminal !== undefined,
    });
    // If output could not be written, the attempt must not succeed, because other steps may rely on the file.
    return toAttemptExit(end, failure ?? end.outputError);
  }

  #buildRequest({ argv, extraEnv, verbatimArguments }: ProcessPlan): LaunchRequest {
    const { env, workingDir, attemptDir, cleanUpMs, step, relay } = this.#context;
    return {
      argv,
      env: extraEnv ? { ...env, ...extraEnv } : env,
      cwd: workingDir,
      attemptDir,
      stopSignal: parseSignal(step.signalOnStop ?? 'SIGTERM') ?? 'SIGTERM',
      cleanUpMs,
      verbatimArguments,
      terminal: step.terminal,
      relay,
      isCancelled: () => this.#wanted !== undefined,
    };
  }
}

function toAttemptExit({ exitCode, signal }: ExitResult, error: string | undefined): AttemptExit {
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(error === undefined ? {} : { error }),
  };
}
