import { toIso, type Clock, type Dispose } from '../../core/base/clock.ts';
import { messageOf } from '../../core/base/errors.ts';
import type { DesktopOutput } from '../../core/contract/desktop/calls.ts';
import type { Updater } from './updater-port.ts';

type UpdateView = DesktopOutput<'updates.get'>;

/** What looking for new versions needs of the app. */
export interface UpdateParts {
  /** Why there are no updates here at all; undefined when there are. */
  readonly offBecause: string | undefined;
  load(): Promise<Updater>;
  readonly clock: Clock;
  /** Whether new versions are looked for without being asked. */
  isAutomatic(): boolean;
  activeRuns(): number;
  /** Resolves when no run of this app is active; nothing new begins from now on. */
  idle(): Promise<void>;
  /** Has new ones begin again, when the restart that was waited for is called off. */
  goOn(): void;
  /** Closes the engine, so that the app may end at once. */
  closeEngine(): Promise<void>;
  /** The view has changed. */
  onChange(view: UpdateView): void;
  /** Tells the person that a version waits. */
  tellReady(version: string): void;
  reportFailure(what: string, thrown: unknown): void;
}

const firstCheckMs = 60_000;
const checkEveryMs = 6 * 3_600_000;

/**
 * New versions of the app: looked for, downloaded and told of; taken only when a person says so, and never while runs
 * are active.
 */
export class Updates {
  readonly #parts: UpdateParts;
  #view: UpdateView;
  #updater: Promise<Updater> | undefined;
  readonly #timers: Dispose[] = [];
  /** Counts what decides about the restart, so that a wait which was called off comes to nothing. */
  #decision = 0;

  constructor(parts: UpdateParts) {
    this.#parts = parts;
    const { offBecause } = parts;
    this.#view = offBecause === undefined ? { state: 'idle' } : { state: 'off', reason: offBecause };
  }

  get view(): UpdateView {
    return this.#view;
  }

  /** Looks by itself from now on, a while after the start and some times a day. */
  begin(): void {
    if (this.#view.state === 'off') return;
    const look = (): void => void (this.#parts.isAutomatic() && this.check());
    const { clock } = this.#parts;
    this.#timers.push(clock.after(firstCheckMs, look), clock.every(checkEveryMs, look));
  }

  stop(): void {
    for (const dispose of this.#timers.splice(0)) dispose();
  }

  /** Looks for a new version now, and downloads it. Never rejects. */
  async check(): Promise<UpdateView> {
    if (!['idle', 'failed'].includes(this.#view.state)) return this.#view;
    this.#change({ state: 'checking' });
    try {
      const updater = await (this.#updater ??= this.#open());
      const found = await updater.checkForUpdates();
      // Told by its event as well.
      found?.downloadPromise?.catch(() => undefined);
    } catch (thrown) {
      this.#fail(thrown);
    }
    return this.#view;
  }

  /** Restarts into the version that waits: when no run is active, or as soon as none is. */
  async install(): Promise<UpdateView> {
    if (this.#view.state !== 'ready') return this.#view;
    if (this.#parts.activeRuns() === 0) await this.#restart();
    else {
      this.#change({ ...this.#view, state: 'waiting' });
      void this.#restart();
    }
    return this.#view;
  }

  /** Calls the restart off that waits for the end of runs; one that is under way goes on. */
  stay(): UpdateView {
    if (this.#view.state !== 'waiting') return this.#view;
    this.#decision += 1;
    this.#change({ ...this.#view, state: 'ready' });
    this.#parts.goOn();
    return this.#view;
  }

  async #restart(): Promise<void> {
    const decision = (this.#decision += 1);
    try {
      await this.#parts.idle();
      if (this.#decision !== decision) return;
      this.#change({ ...this.#view, state: 'restarting' });
      const updater = await this.#updater;
      await this.#parts.closeEngine();
      updater?.quitAndInstall(false, true);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  async #open(): Promise<Updater> {
    const updater = await this.#parts.load();
    updater.autoDownload = true;
    // Leaving is not agreeing to a new version, and may be the end of a session.
    updater.autoInstallOnAppQuit = false;
    updater.logger = null;
    updater.on('update-available', ({ version }) =>
      this.#change({ state: 'downloading', version, percent: 0 }),
    );
    updater.on('update-not-available', () => this.#change({ state: 'idle' }));
    updater.on('download-progress', ({ percent }) => this.#progress(percent));
    updater.on('update-downloaded', ({ version }) => {
      this.#change({ state: 'ready', version });
      this.#parts.tellReady(version);
    });
    updater.on('error', (error) => this.#fail(error));
    return updater;
  }

  /** In whole steps, since each is told to the window. */
  #progress(percent: number): void {
    const rounded = Math.floor(percent / 5) * 5;
    if (this.#view.state === 'downloading' && this.#view.percent !== rounded)
      this.#change({ ...this.#view, percent: rounded });
  }

  #fail(thrown: unknown): void {
    if (this.#view.state === 'failed') return;
    this.#parts.reportFailure('Update check failed', thrown);
    this.#change({ state: 'failed', reason: messageOf(thrown) });
  }

  #change(view: UpdateView): void {
    const checkedAt =
      view.state === 'checking' ? toIso(this.#parts.clock.now()) : (this.#view.checkedAt ?? undefined);
    this.#view = { ...view, ...(checkedAt !== undefined && { checkedAt }) };
    this.#parts.onChange(this.#view);
  }
}
