import { wait } from '../../base/wait.ts';
import path from 'node:path';
import { isQuarantined, reportQuarantined, runActivity, quarantineReason } from '../../base/activity.ts';
import type { Clock, Dispose } from '../../base/clock.ts';
import { AppError, toAppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Logger } from '../../base/logger.ts';
import { timings } from '../../base/timings.ts';
import { formatHost, type HostMonitor } from '../hosts.ts';
import type { HostRecord, RunDetail, RunOwner, RunRecord, RunRef } from '../../model/run.ts';
import type { Parameter } from '../../model/workflow.ts';
import type { ActiveRuns } from '../active-runs.ts';
import { type RunHost, assertNoMaskedParams } from '../run-input.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { EventHub } from '../event-hub.ts';
import { loadStored, readInheritance } from './previous-run.ts';
import type { Inheritance } from '../values/open-scope.ts';
import { valuesTag } from '../values/run-scope.ts';
import type { SystemContext } from '../values/resolve-values.ts';
import { endOpenNodes, OrphanedCommands, readOpenNodes, readInterrupted } from './interrupted-run.ts';

/** Values that the step of a parent passes to its sub-run again. */
export interface InheritedRun {
  readonly inherited: Inheritance;
  /** Returns the parameters including secrets; called when the stored ones lack secrets. */
  params(): Promise<readonly Parameter[]>;
}

/** A run whose host is lost. */
interface LostRun {
  readonly run: RunRecord;
  readonly host: HostRecord;
  /** Why the host counts as lost. */
  readonly reason: string;
  readonly orphanedCommands: OrphanedCommands;
}

/** Delay before retrying what failed because the database was unavailable, in milliseconds. */
const retryMs = 1000;

interface RunRecoveryOptions {
  readonly host: RunHost;
  readonly store: RunStore;
  readonly active: ActiveRuns;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly watch: HostMonitor;
  readonly system: SystemContext;
}

const getActivity = ({ name, dagRunId }: RunRef) => ({ kind: 'run', dag: name, dagRunId }) as const;

/** Whether another host has the run already, or it has ended; both are fine. */
const isTooLate = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'stale_owner' || error.code === 'not_running');

/**
 * Takes over runs of lost hosts and drives them, and runs of this host that it does not drive: a claim or takeover
 * whose response was lost with the database connection leaves such a run.
 */
export class RunRecovery {
  readonly #options: RunRecoveryOptions;
  /**
   * Runs of this host that it was seen not to drive: their epoch, and since when, in milliseconds of the monotonic
   * clock.
   */
  #stalled: ReadonlyMap<number, { readonly epoch: number; readonly since: number }> = new Map();
  /** Whether other hosts drove runs in the last pass. */
  #hasOtherHosts = false;
  #polling: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: RunRecoveryOptions) {
    this.#options = options;
  }

  /** Whether there are runs to take over now. */
  async hasOrphans(): Promise<boolean> {
    const { store } = this.#options;
    for (const { host } of this.#findExpired(await store.listDrivingHosts()))
      if ((await store.listOrphanedRuns(host.key)).length > 0) return true;
    return false;
  }

  /** Takes over all such runs. Never rejects: an error with one run is logged, and ends that run if necessary. */
  async recoverAll(): Promise<RunRef[]> {
    const recovered: RunRef[] = [];
    const { store, active } = this.#options;
    const hosts = await store.listDrivingHosts();
    this.#hasOtherHosts = hosts.some(({ owner }) => owner.id !== this.#localOwner.id);
    // Judged as soon as their heartbeats are read, before anything else takes time.
    const expired = this.#findExpired(hosts);
    const orphans: Omit<LostRun, 'orphanedCommands'>[] = [];
    for (const { host, reason } of expired)
      for (const run of await store.listOrphanedRuns(host.key)) orphans.push({ run, host, reason });
    orphans.push(...(await this.#findStalled(hosts)));
    const orphanedCommands = orphans.length > 0 ? this.#findOrphanedCommands() : undefined;
    for (const orphan of orphans) {
      if (this.#isStopped) break;
      // Searching for leftover commands and each takeover take time.
      if (active.find(orphan.run) !== undefined) continue;
      if (
        await this.#attempt(orphan.run, () => this.#adopt({ ...orphan, orphanedCommands: orphanedCommands! }))
      )
        recovered.push(orphan.run);
    }
    return recovered;
  }

  /**
   * Takes over now and whenever it is due until disposed: every `intervalMs`, and earlier when another host that
   * drives runs could have died meanwhile.
   */
  startPolling(intervalMs: number): Dispose {
    let dispose: Dispose | undefined;
    let isDisposed = false;
    this.#isStopped = false;
    const poll = async (): Promise<void> => {
      await this.#poll();
      if (isDisposed || intervalMs <= 0) return;
      const interval = this.#findInterval(intervalMs);
      // Polling alone must not keep a process alive, so this is not a one-shot timer.
      dispose = this.#options.clock.every(interval, () => {
        dispose?.();
        void poll();
      });
    };
    void poll();
    return () => {
      isDisposed = true;
      this.#isStopped = true;
      dispose?.();
    };
  }

  /** Resolves when the takeover that was running when polling was disposed has ended. */
  async settled(): Promise<void> {
    await this.#polling;
  }

  /**
   * Resumes the run that a step had started on a lost host. A run that has ended, or that a live host drives, stays
   * unchanged: the step waits for its end anyway.
   */
  async resumeChild(child: RunRef, inherited: InheritedRun): Promise<void> {
    const { store, active, watch } = this.#options;
    const run = await store.findRun(child);
    const host = run && (await store.findRunHost(run.key));
    if (run === undefined || host === undefined || active.find(child) !== undefined) return;
    const reason = watch.findExpiry(host);
    if (reason === undefined) return;
    const lostRun = { run, host, reason, orphanedCommands: this.#findOrphanedCommands() };
    await this.#attempt(run, () => this.#adopt(lostRun, inherited));
  }

  /** One pass at a time. */
  async #poll(): Promise<void> {
    if (this.#polling !== undefined) return;
    this.#polling = this.#recoverAndReport();
    await this.#polling;
    this.#polling = undefined;
  }

  async #recoverAndReport(): Promise<void> {
    try {
      for (const { name, dagRunId } of await this.recoverAll())
        this.#options.logger.info('Took over a run', { dag: name, dagRunId });
    } catch (error) {
      this.#warn('Cannot search for lost runs', error);
    }
  }

  /** Returns how long to wait before the next pass. */
  #findInterval(intervalMs: number): number {
    const isWatching = this.#hasOtherHosts || this.#stalled.size > 0;
    return isWatching ? Math.min(intervalMs, timings.hostLease + 1000) : intervalMs;
  }

  /** Runs that this host has owned for a whole lease without driving them: all others were started long before. */
  async #findStalled(hosts: readonly HostRecord[]): Promise<Omit<LostRun, 'orphanedCommands'>[]> {
    const { store, active, clock } = this.#options;
    const now = clock.monotonic();
    const host = hosts.find(({ owner }) => owner.id === this.#localOwner.id);
    const runs = (host === undefined ? [] : await store.listOrphanedRuns(host.key)).filter(
      (run) => active.find(run) === undefined && active.getFailure(run) === undefined,
    );
    this.#stalled = new Map(
      runs.map(({ key, epoch }) => {
        const known = this.#stalled.get(key);
        return [key, known?.epoch === epoch ? known : { epoch, since: now }];
      }),
    );
    const reason = 'the host was not running the run';
    return runs
      .filter(({ key }) => now - this.#stalled.get(key)!.since > timings.hostLease)
      .map((run) => ({ run, host: host!, reason }));
  }

  #findExpired(hosts: readonly HostRecord[]): { host: HostRecord; reason: string }[] {
    const { watch } = this.#options;
    watch.keepOnly(hosts);
    return hosts.flatMap((host) => {
      const reason = watch.findExpiry(host);
      return reason === undefined ? [] : [{ host, reason }];
    });
  }

  async #attempt(run: RunRef, action: () => Promise<void>): Promise<boolean> {
    try {
      await runActivity(getActivity(run), action);
      return true;
    } catch (error) {
      if (!isTooLate(error)) this.#warn('Cannot take over a run', error, run);
      return false;
    }
  }

  #findOrphanedCommands(): OrphanedCommands {
    return new OrphanedCommands(this.#options.host.home, this.#options.clock);
  }

  async #adopt({ run, host, reason, orphanedCommands }: LostRun, inherited?: InheritedRun): Promise<void> {
    const { store, clock, hub } = this.#options;
    failPoint('run.before_take_over');
    const localOwner = this.#localOwner;
    const details = { by: formatHost(localOwner), from: formatHost(host.owner), reason };
    const record = await store.claimOrphanedRun(
      { runKey: run.key, epoch: run.epoch, owner: localOwner, ...details },
      clock.now(),
    );
    failPoint('run.recovered');
    hub.pump();
    await orphanedCommands.end(record, record.epoch - 1);
    // A step that waits for its sub-run also waits for the database.
    const isOver = (): boolean => this.#isStopped && inherited === undefined;
    // Read only now: before the takeover its host, if it was still alive, could write.
    const detail = await this.#retryWhileUnavailable(async () => (await store.getDetail(record))!, isOver);
    if (isQuarantined(getActivity(run))) return this.#setAside(detail, this.#isSameBoot(host));
    try {
      await this.#retryWhileUnavailable(() => this.#execute(detail, host, inherited), isOver);
    } catch (failure) {
      const error = toAppError(failure);
      // The next host takes the run over.
      if (isOver() && error.code === 'unavailable') throw failure;
      const cause = `the engine was lost, and the run cannot continue: ${error.message}`;
      await this.#endAsFailed(detail, this.#isSameBoot(host), cause);
      this.#warn('A run that was taken over could not continue', error, run);
    }
  }

  /** Sets a run aside that has killed two processes, so that it does not kill a third one. A user can retry it. */
  async #setAside(detail: RunDetail, isSameBoot: boolean): Promise<void> {
    const activity = getActivity(detail.run);
    await this.#endAsFailed(detail, isSameBoot, quarantineReason(activity));
    reportQuarantined(activity);
  }

  /** Retries work while the database is unavailable. No other host takes a run that this host owns now. */
  async #retryWhileUnavailable<Value>(
    operation: () => Value | Promise<Value>,
    isOver: () => boolean,
  ): Promise<Value> {
    for (;;) {
      try {
        return await operation();
      } catch (error) {
        const { code } = toAppError(error);
        if (code !== 'unavailable' || isOver()) throw error;
        this.#warn('A run that was taken over is waiting for the database', error);
        await wait(this.#options.clock, retryMs);
      }
    }
  }

  async #execute(detail: RunDetail, host: HostRecord, inheritedRun: InheritedRun | undefined): Promise<void> {
    const { store, active, clock, host: runHost, system } = this.#options;
    const { run } = detail;
    const { home } = runHost;
    const { source, workflow } = await loadStored(detail);
    const isSameBoot = this.#isSameBoot(host);
    const previousRun = await readInterrupted({ store, detail, workflow, home, clock, isSameBoot });
    const { parent } = run;
    const inherited =
      inheritedRun?.inherited ??
      (parent &&
        (await readInheritance({ store, home, system: { ...system, tag: valuesTag(home, run) } }, parent)));
    active.execute({
      record: run,
      params: await unmaskedParams(run, inheritedRun),
      workflow,
      siblings: source.workflows,
      specFile: source.file,
      specText: source.text,
      baseText: source.baseText,
      inherited,
      previousRun,
    });
  }

  /** Ends a run that no release can resume as failed. */
  async #endAsFailed(detail: RunDetail, isSameBoot: boolean, reason: string): Promise<void> {
    const { host, store } = this.#options;
    const { run } = detail;
    const writer = host.recorder.openWriter(run.key, run.epoch);
    await endOpenNodes({
      record: run,
      open: (await readOpenNodes({ store, detail, isSameBoot })).values(),
      runDir: path.resolve(host.home, run.logDir),
      host,
      emit: (event) => writer.write(event),
    });
    writer.write({ type: 'run.finished', status: 'failed', cause: 'engine', error: reason, outputs: {} });
    await writer.durable();
    await host.remote.endRun(run.key);
  }

  #isSameBoot({ owner }: HostRecord): boolean {
    return owner.host === this.#localOwner.host && owner.bootId === this.#localOwner.bootId;
  }

  #warn(message: string, error: unknown, run?: RunRef): void {
    const fields = { message: toAppError(error).message };
    const ref = run && { dag: run.name, dagRunId: run.dagRunId };
    this.#options.logger.warn(message, { ...ref, ...fields });
  }

  get #localOwner(): RunOwner {
    return this.#options.host.host.owner;
  }
}

/** Returns the stored parameters, unless a secret was left out of them. */
async function unmaskedParams(
  run: RunRecord,
  inherited: InheritedRun | undefined,
): Promise<readonly Parameter[]> {
  try {
    assertNoMaskedParams(run);
    return run.params;
  } catch (error) {
    if (inherited === undefined) throw error;
    return inherited.params();
  }
}
