import { wait } from '../base/wait.ts';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { formatFailure } from './step-output.ts';
import { ActionEnder, type ExecutorResult, type RunningStep } from './executor.ts';
import { attemptFiles } from '../model/run.ts';
import { readExitRecord, type ExitRecord } from '../process/exits.ts';
import { hasProcessTable } from '../process/process-table.ts';
import type { AttachRequest, ProcessLauncher } from '../process/launcher.ts';

/** A process that another host has started or was about to start. */
export interface OrphanedProcess extends AttachRequest {
  /** Its output was relayed by that host, so it cannot continue without it. */
  readonly isRelayed: boolean;
  /** Whether it ran in a terminal; the log of stdout then contains both streams. */
  readonly hasTerminal: boolean;
  /** As in `OpenNode`. */
  readonly isSameBoot: boolean;
}

interface ReattachTools {
  readonly clock: Clock;
  readonly launcher: ProcessLauncher;
}

/** Milliseconds that another process may need on a busy machine to record an end or to start a process. */
const graceMs = 3000;
/** Milliseconds between two checks. */
const pollIntervalMs = 100;

/** Prefix of the errors of lost attempts; retry policies and users may match it. */
export const engineLostPrefix = 'engine lost';

/** Result of an attempt that was announced but never started. */
export const neverStartedResult: ExecutorResult = {
  unstarted: true,
  error: `${engineLostPrefix} before the step started; nothing was run`,
};

/** Returns the result of an attempt that cannot be resumed. */
export const lostResult = (why: string): ExecutorResult => ({ error: `${engineLostPrefix}: ${why}` });

/** Attaches to the process of an attempt. The real end of the process becomes the end of the attempt. */
export function reattach(orphan: OrphanedProcess, tools: ReattachTools): RunningStep {
  const attempt = new Reattachment(orphan, tools);
  const { ender } = attempt;
  return { ended: attempt.run(), stop: () => ender.end('stop'), kill: () => ender.end('kill') };
}

/** Ends the remaining processes of an attempt that is not resumed. */
export async function killOrphanedProcess(
  orphan: OrphanedProcess,
  { launcher }: ReattachTools,
): Promise<void> {
  if (!orphan.isSameBoot) return;
  const found = launcher.attach(orphan);
  found?.kill();
  await found?.ended;
}

/**
 * Claims the start of an attempt: the process that creates the log of its stdout may start it. Returns true if this
 * process has claimed it, so that no other process has started the attempt or ever will.
 */
export function claimStart(attemptDir: string): boolean {
  try {
    mkdirSync(attemptDir, { recursive: true, mode: 0o700 });
    closeSync(openSync(path.join(attemptDir, attemptFiles.stdout), 'wx', 0o600));
    return true;
  } catch {
    // The log exists or is not accessible, so the attempt may have started.
    return false;
  }
}

class Reattachment {
  readonly ender = new ActionEnder();
  readonly #orphan: OrphanedProcess;
  readonly #tools: ReattachTools;

  constructor(orphan: OrphanedProcess, tools: ReattachTools) {
    this.#orphan = orphan;
    this.#tools = tools;
  }

  async run(): Promise<ExecutorResult> {
    const known = this.#readRecordedEnd() ?? (await this.#follow());
    if (known !== undefined) return known;
    if (claimStart(this.#orphan.attemptDir)) return neverStartedResult;
    return (await this.#waitForStart()) ?? lostResult(this.#explainMissingEnd());
  }

  /** Waits for news: the process that created the log may be about to start the attempt or to record its end. */
  async #waitForStart(): Promise<ExecutorResult | undefined> {
    const { clock } = this.#tools;
    const deadline = clock.monotonic() + graceMs;
    while (this.#orphan.isSameBoot && clock.monotonic() < deadline) {
      await wait(clock, pollIntervalMs);
      const end = this.#readRecordedEnd() ?? (await this.#follow());
      if (end !== undefined) return end;
    }
    return undefined;
  }

  /** Returns undefined if there is no process. */
  async #follow(): Promise<ExecutorResult | undefined> {
    const { isSameBoot, isRelayed } = this.#orphan;
    if (!isSameBoot) return undefined;
    const found = this.#tools.launcher.attach(this.#orphan);
    if (found === undefined) return undefined;
    if (isRelayed) found.stop();
    this.ender.attach(found);
    const end = await found.ended;
    if (isRelayed) {
      return lostResult(
        'the process was stopped because its output was read by the engine (terminal, secrets, stdout or stderr)',
      );
    }
    if (end.lost === true)
      return this.#readRecordedEnd() ?? lostResult('the process ended without a monitor');
    return this.#toEnd({ ...end, error: end.outputError });
  }

  #readRecordedEnd(): ExecutorResult | undefined {
    try {
      const record = readExitRecord(this.#orphan.attemptDir);
      return record && this.#toEnd(record);
    } catch {
      // A journal that cannot be read contains no result.
      return undefined;
    }
  }

  #toEnd({ exitCode, signal, error }: Pick<ExitRecord, 'exitCode' | 'signal' | 'error'>): ExecutorResult {
    const { attemptDir } = this.#orphan;
    const failure = formatFailure(
      { exitCode, signal },
      { attemptDir, wasStopped: this.ender.request !== undefined, hasTerminal: this.#orphan.hasTerminal },
    );
    return { exitCode, signal, error: failure ?? error };
  }

  #explainMissingEnd(): string {
    const { isSameBoot, pid } = this.#orphan;
    if (!isSameBoot) return 'the machine was restarted while the process was running';
    if (!hasProcessTable)
      return `cannot determine on this system whether the process${pid === undefined ? '' : ` (${pid})`} is still running`;
    return 'the process has ended, and its exit code was not recorded';
  }
}
