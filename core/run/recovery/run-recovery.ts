import path from 'node:path';
import { isSetAside, reportSetAside, runActivity, setAsideReason } from '../../base/activity.ts';
import type { Clock, Dispose } from '../../base/clock.ts';
import { AppError, toAppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Logger } from '../../base/logger.ts';
import { timings } from '../../base/timings.ts';
import { describeHost, type HostMonitor } from '../../hosts/host-monitor.ts';
import type { HostRecord } from '../../model/host.ts';
import type { RunDetail, RunOwner, RunRecord, RunRef } from '../../model/run/run.ts';
import type { Parameter } from '../../model/workflow/workflow.ts';
import type { ActiveRuns } from '../active-runs.ts';
import type { RunHost } from '../run-input.ts';
import { assertNoMaskedParams } from '../mask-params.ts';
import type { RunStore } from '../ports.ts';
import type { EventHub } from '../record/event-hub.ts';
import { loadStored } from '../reruns/load-stored.ts';
import { readInheritance } from '../reruns/parent-inheritance.ts';
import type { Inheritance } from '../values/open-scope.ts';
import { valuesTag } from '../values/values-tag.ts';
import type { SystemContext } from '../values/value-sources.ts';
import { endOpenNodes } from './end-open-nodes.ts';
import { OrphanedCommands } from './orphaned-commands.ts';
import { readOpen } from './read-open.ts';
import { readInterrupted } from './read-interrupted.ts';

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
  readonly left: OrphanedCommands;
}

/** Delay before retrying what failed because the database was unavailable, in milliseconds. */
const retryMs = 1000;

interface RunRecoveryDeps {
  readonly host: RunHost;
  readonly store: RunStore;
  readonly active: ActiveRuns;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly watch: HostMonitor;
  readonly system: SystemContext;
}

const activityOf = ({ name, dagRunId }: RunRef) => ({ kind: 'run', dag: name, dagRunId }) as const;

/** Whether another host has the run already, or it has ended; both are fine. */
const isTooLate = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'stale_owner' || error.code === 'not_running');

/**
 * Takes over runs of lost hosts and drives them, and runs of this host that it does not drive: a claim or takeover
 * whose response was lost with the database connection leaves such a run.
 */
export class RunRecovery {
  readonly #deps: RunRecoveryDeps;
  /**
   * Runs of this host that it was seen not to drive: their epoch, and since when, in milliseconds of the monotonic
   * clock.
   */
  #undriven: ReadonlyMap<number, { readonly epoch: number; readonly since: number }> = new Map();
  #isLooking = false;

  constructor(deps: RunRecoveryDeps) {
    this.#deps = deps;
  }

  /** Whether there are runs to take over now. */
  hasOrphans(): boolean {
    const { store } = this.#deps;
    return this.#findDead(store.listDrivingHosts()).some(
      ({ host }) => store.listOrphanedRuns(host.key).length > 0,
    );
  }

  /** Takes over all such runs. Never rejects: an error with one run is logged, and ends that run if necessary. */
  async recoverAll(): Promise<RunRef[]> {
    const taken: RunRef[] = [];
    const { store, active } = this.#deps;
    const hosts = store.listDrivingHosts();
    const orphans = [
      ...this.#findDead(hosts).flatMap(({ host, reason }) =>
        store.listOrphanedRuns(host.key).map((run) => ({ run, host, reason })),
      ),
      ...this.#findUndriven(hosts),
    ];
    const left = orphans.length > 0 ? this.#findLeftCommands() : undefined;
    for (const orphan of orphans) {
      // Searching for leftover commands and each takeover take time.
      if (active.find(orphan.run) !== undefined) continue;
      if (await this.#attempt(orphan.run, () => this.#adopt({ ...orphan, left: left! })))
        taken.push(orphan.run);
    }
    return taken;
  }

  /**
   * Takes over now and whenever it is due until disposed: every `intervalMs`, and earlier when another host that
   * drives runs could have died meanwhile.
   */
  keepLooking(intervalMs: number): Dispose {
    let dispose: Dispose | undefined;
    let isOver = false;
    const look = async (): Promise<void> => {
      await this.#look();
      if (isOver || intervalMs <= 0) return;
      // Polling alone must not keep a process alive, so this is not a one-shot timer.
      dispose = this.#deps.clock.every(this.#findWait(intervalMs), () => {
        dispose?.();
        void look();
      });
    };
    void look();
    return () => {
      isOver = true;
      dispose?.();
    };
  }

  /**
   * Resumes the run that a step had started on a lost host. A run that has ended, or that a live host drives, stays
   * unchanged: the step waits for its end anyway.
   */
  async resumeChild(child: RunRef, inherited: InheritedRun): Promise<void> {
    const { store, active, watch } = this.#deps;
    const run = store.findRun(child);
    const host = run && store.findHostOf(run.key);
    if (run === undefined || host === undefined || active.find(child) !== undefined) return;
    const reason = watch.findExpiry(host);
    if (reason === undefined) return;
    const lost = { run, host, reason, left: this.#findLeftCommands() };
    await this.#attempt(run, () => this.#adopt(lost, inherited));
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      for (const { name, dagRunId } of await this.recoverAll())
        this.#deps.logger.info('Took over a run', { dag: name, dagRunId });
    } catch (error) {
      this.#warn('Cannot search for runs without a host', error);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Returns how long to wait before the next check; continues to check while the database is unavailable. */
  #findWait(intervalMs: number): number {
    try {
      const hosts = this.#deps.store.listDrivingHosts();
      const isAnybodyThere = hosts.some(({ owner }) => owner.id !== this.#own.id);
      return isAnybodyThere || this.#undriven.size > 0
        ? Math.min(intervalMs, timings.hostLease + 1000)
        : intervalMs;
    } catch (error) {
      this.#warn('Cannot check other hosts', error);
      return intervalMs;
    }
  }

  /** Runs that this host has owned for a whole lease without driving them: all others were started long before. */
  #findUndriven(hosts: readonly HostRecord[]): { run: RunRecord; host: HostRecord; reason: string }[] {
    const { store, active, clock } = this.#deps;
    const now = clock.monotonic();
    const host = hosts.find(({ owner }) => owner.id === this.#own.id);
    const runs = (host === undefined ? [] : store.listOrphanedRuns(host.key)).filter(
      (run) => active.find(run) === undefined && active.failureOf(run) === undefined,
    );
    this.#undriven = new Map(
      runs.map(({ key, epoch }) => {
        const known = this.#undriven.get(key);
        return [key, known?.epoch === epoch ? known : { epoch, since: now }];
      }),
    );
    const reason = 'the host was not running the run';
    return runs
      .filter(({ key }) => now - this.#undriven.get(key)!.since > timings.hostLease)
      .map((run) => ({ run, host: host!, reason }));
  }

  #findDead(hosts: readonly HostRecord[]): { host: HostRecord; reason: string }[] {
    const { watch } = this.#deps;
    watch.keepOnly(hosts);
    return hosts.flatMap((host) => {
      const reason = watch.findExpiry(host);
      return reason === undefined ? [] : [{ host, reason }];
    });
  }

  async #attempt(run: RunRef, claimOrphanedRun: () => Promise<void>): Promise<boolean> {
    try {
      await runActivity(activityOf(run), claimOrphanedRun);
      return true;
    } catch (error) {
      if (!isTooLate(error)) this.#warn('Cannot take over a run', error, run);
      return false;
    }
  }

  #findLeftCommands(): OrphanedCommands {
    return new OrphanedCommands(this.#deps.host.home, this.#deps.clock);
  }

  async #adopt({ run, host, reason, left }: LostRun, inherited?: InheritedRun): Promise<void> {
    const { store, clock, hub } = this.#deps;
    failPoint('run.before_take_over');
    const own = this.#own;
    const words = { by: describeHost(own), from: describeHost(host.owner), reason };
    const record = store.claimOrphanedRun(
      { runKey: run.key, epoch: run.epoch, owner: own, ...words },
      clock.now(),
    );
    failPoint('run.recovered');
    hub.pump();
    await left.end(record, record.epoch - 1);
    // Read only now: before the takeover its host, if it was still alive, could write.
    const detail = await this.#persist(() => store.getDetail(record)!);
    if (isSetAside(activityOf(run))) return this.#setAside(detail, this.#isSameBoot(host));
    try {
      await this.#persist(() => this.#drive(detail, host, inherited));
    } catch (failure) {
      const error = toAppError(failure);
      const cause = `the engine was lost, and the run cannot continue: ${error.message}`;
      await this.#endAsFailed(detail, this.#isSameBoot(host), cause);
      this.#warn('A run that was taken over could not continue', error, run);
    }
  }

  /** Sets a run aside that has killed two processes, so that it does not kill a third one. A user can retry it. */
  async #setAside(detail: RunDetail, isSameBoot: boolean): Promise<void> {
    const activity = activityOf(detail.run);
    await this.#endAsFailed(detail, isSameBoot, setAsideReason(activity));
    reportSetAside(activity);
  }

  /** Retries work while the database is unavailable. No other host takes a run that this host owns now. */
  async #persist<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const { code } = toAppError(error);
        if (code !== 'unavailable') throw error;
        this.#warn('A run that was taken over is waiting for the database', error);
        await new Promise<void>((resolve) => this.#deps.clock.after(retryMs, resolve));
      }
    }
  }

  async #drive(detail: RunDetail, host: HostRecord, gift: InheritedRun | undefined): Promise<void> {
    const { store, active, clock, host: driver, system } = this.#deps;
    const { run } = detail;
    const { home } = driver;
    const { source, workflow } = await loadStored(detail);
    const isSameBoot = this.#isSameBoot(host);
    const previousRun = await readInterrupted({ store, detail, workflow, home, clock, isSameBoot });
    const { parent } = run;
    const inherited =
      gift?.inherited ??
      (parent &&
        (await readInheritance({ store, home, system: { ...system, tag: valuesTag(home, run) } }, parent)));
    active.drive({
      record: run,
      params: await trueParams(run, gift),
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
    const { host, store } = this.#deps;
    const { run } = detail;
    const writer = host.recorder.openWriter(run.key, run.epoch);
    await endOpenNodes({
      record: run,
      open: readOpen({ store, detail, isSameBoot }).values(),
      runDir: path.resolve(host.home, run.logDir),
      host,
      emit: (event) => writer.write(event),
    });
    writer.write({ type: 'run.finished', status: 'failed', cause: 'engine', error: reason, outputs: {} });
    await writer.durable();
    await host.remote.endRun(run.key);
  }

  #isSameBoot({ owner }: HostRecord): boolean {
    return owner.host === this.#own.host && owner.bootId === this.#own.bootId;
  }

  #warn(message: string, error: unknown, run?: RunRef): void {
    const facts = { message: toAppError(error).message };
    const of = run && { dag: run.name, dagRunId: run.dagRunId };
    this.#deps.logger.warn(message, { ...of, ...facts });
  }

  get #own(): RunOwner {
    return this.#deps.host.host.owner;
  }
}

/** Returns the stored parameters, unless a secret was left out of them. */
async function trueParams(
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
