import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { NodeId, RunEvent } from '../../model/run-event.ts';
import { type RunRecord, isFinal, type RunRef } from '../../model/run.ts';
import { killOrphanedProcess, engineLostPrefix } from '../../executors/reattach.ts';
import type { Clock } from '../../base/clock.ts';
import { listProcesses, readTag } from '../../process/process-table.ts';
import { Sweeper } from '../../process/kill.ts';
import type { RunHost } from '../run-input.ts';
import type { OpenNode } from '../steps/node-task.ts';
import { valuesTagRoot } from '../values/run-scope.ts';

/** A run that ends without resuming its running nodes. */
export interface UnrecoverableRun {
  readonly record: Pick<RunRecord, 'key' | 'dagRunId'>;
  readonly open: Iterable<OpenNode>;
  /** Absolute path of the run's directory. */
  readonly runDir: string;
  readonly host: Pick<RunHost, 'clock' | 'launcher' | 'store'>;
  emit(event: RunEvent): void;
}

/**
 * Ends the nodes that a lost host left running in a run that cannot be resumed: processes at once, sub-runs by a
 * stop request. The nodes end as failed.
 */
export async function endOpenNodes(run: UnrecoverableRun): Promise<void> {
  for (const open of run.open) {
    const { node } = open.attempt;
    stopSubRuns(run, node);
    if (open.due === undefined) await endProcesses(run, open);
    const reason = `${engineLostPrefix}, and the run could not continue`;
    run.emit({ type: 'step.ended', node, status: 'failed', reason });
  }
}

async function endProcesses({ runDir, host }: UnrecoverableRun, open: OpenNode): Promise<void> {
  const { attempt, items, isSameBoot } = open;
  const running = items.filter(({ status }) => status === 'running');
  const { pid, pidStart } = attempt;
  const openAttempts = [{ dir: attempt.dir, pid, pidStart }, ...running.map(({ dir }) => ({ dir }))];
  for (const { dir, ...process } of openAttempts) {
    const attemptDir = path.join(runDir, dir);
    const orphan = { attemptDir, ...process, stopSignal: 'SIGKILL', cleanUpMs: 0 } as const;
    await killOrphanedProcess({ ...orphan, isRelayed: false, hasTerminal: false, isSameBoot }, host);
  }
}

function stopSubRuns({ record, host }: UnrecoverableRun, node: NodeId): void {
  const { store, clock } = host;
  for (const child of store.listStepSubRuns(record.key, node)) {
    if (isFinal(child.status)) continue;
    try {
      store.requestStop(child, `its parent run ${record.dagRunId}`, clock.now());
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_running') throw error;
    }
  }
}

/**
 * Commands in values and conditions that lost hosts have left running. Their output is no longer read, and the next
 * driver evaluates them again. Linux only, because only there the owner of a process can be determined.
 */
export class OrphanedCommands {
  readonly #home: string;
  readonly #clock: Clock;
  readonly #sweeper: Sweeper;
  readonly #tags: ReadonlySet<string>;

  /** Lists the processes of this machine once, for any number of runs. */
  constructor(home: string, clock: Clock) {
    this.#home = home;
    this.#clock = clock;
    this.#sweeper = new Sweeper(clock);
    const tags = listProcesses().map(({ pid }) => readTag(pid));
    this.#tags = new Set(tags.filter((tag) => tag !== undefined));
  }

  /**
   * Ends the commands that were started for one run with this epoch or an earlier one. Resolves when they have ended.
   */
  async end(run: RunRef, lastEpoch: number): Promise<void> {
    const root = valuesTagRoot(this.#home, run);
    const tags = [...this.#tags].filter(
      (tag) => tag.startsWith(root) && Number(tag.slice(root.length)) <= lastEpoch,
    );
    const killAt = this.#clock.monotonic();
    await Promise.all(
      tags.map((tag) => this.#sweeper.watch({ tag, signal: 'SIGKILL', escapedToo: true, killAt })),
    );
  }
}
