import { toIso, type Clock, type Dispose } from '../core/base/clock.ts';
import { getErrorMessage } from '../core/base/errors.ts';
import type { DesktopOutput } from '../core/contract/desktop-calls.ts';

/** The used parts of `electron-updater`. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  logger: unknown;
  /** The promise of a download rejects in addition to the event. */
  checkForUpdates(): Promise<{ readonly downloadPromise?: Promise<unknown> | null } | null>;
  quitAndInstall(isSilent?: boolean, isForceRunAfter?: boolean): void;
  on(event: 'update-available' | 'update-downloaded', listener: (info: { version: string }) => void): unknown;
  on(event: 'update-not-available', listener: () => void): unknown;
  on(event: 'download-progress', listener: (progress: { percent: number }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Loads the real updater on demand. */
export async function loadUpdater(): Promise<Updater> {
  // A CommonJS package whose exports are getters.
  const { default: updater } = await import('electron-updater');
  return updater.autoUpdater;
}

/** Conditions under which this installation can update itself. */
export interface InstallInfo {
  readonly isPackaged: boolean;
  /** Whether the package contains an update feed (`app-update.yml`). */
  readonly hasFeed: boolean;
  /** For testing updates in development. */
  readonly forced: boolean;
}

/** Returns why updates are unavailable; undefined if they are available. */
export function updatesUnavailableReason({ isPackaged, hasFeed, forced }: InstallInfo): string | undefined {
  if (!isPackaged && !forced) return 'Development build. Update it from the repository.';
  if (!hasFeed) return 'This package has no update source. Install new versions manually.';
  return undefined;
}

type UpdateView = DesktopOutput<'updates.get'>;

/** Dependencies of updates. */
export interface UpdateDeps {
  /** Why updates are unavailable; undefined if they are available. */
  readonly offBecause: string | undefined;
  load(): Promise<Updater>;
  readonly clock: Clock;
  /** Whether to check for updates automatically. */
  isAutomatic(): boolean;
  activeRuns(): number;
  /** Resolves when no run of this app is active; no new ones start from then on. */
  idle(): Promise<void>;
  /** Resumes starting runs, after a pending restart was cancelled. */
  resume(): void;
  /** Closes the engine, so that the app can end immediately. */
  closeEngine(): Promise<void>;
  /** Called when the state has changed. */
  onChange(view: UpdateView): void;
  /** Notifies the user of an available update. */
  notifyReady(version: string): void;
  reportFailure(what: string, error: unknown): void;
}

const firstCheckMs = 60_000;
const checkEveryMs = 6 * 3_600_000;

/**
 * Updates of the app: checked, downloaded and announced automatically; installed only on request, and never
 * while runs are active.
 */
export class Updates {
  readonly #deps: UpdateDeps;
  #view: UpdateView;
  #updater: Promise<Updater> | undefined;
  readonly #timers: Dispose[] = [];
  /** Incremented by each decision about the restart, so that a cancelled wait has no effect. */
  #decision = 0;

  constructor(deps: UpdateDeps) {
    this.#deps = deps;
    const { offBecause } = deps;
    this.#view = offBecause === undefined ? { state: 'idle' } : { state: 'off', reason: offBecause };
  }

  get view(): UpdateView {
    return this.#view;
  }

  /** Starts automatic checks: some time after the start, then several times a day. */
  begin(): void {
    if (this.#view.state === 'off') return;
    const checkForUpdate = (): void => void (this.#deps.isAutomatic() && this.check());
    const { clock } = this.#deps;
    this.#timers.push(clock.after(firstCheckMs, checkForUpdate), clock.every(checkEveryMs, checkForUpdate));
  }

  stop(): void {
    for (const dispose of this.#timers.splice(0)) dispose();
  }

  /** Checks for an update and downloads it. Never rejects. */
  async check(): Promise<UpdateView> {
    if (!['idle', 'failed'].includes(this.#view.state)) return this.#view;
    this.#change({ state: 'checking' });
    try {
      const updater = await (this.#updater ??= this.#open());
      const update = await updater.checkForUpdates();
      // Reported by its event as well.
      update?.downloadPromise?.catch(() => undefined);
    } catch (error) {
      this.#fail(error);
    }
    return this.#view;
  }

  /** Restarts into the downloaded version: immediately, or as soon as no run is active. */
  async install(): Promise<UpdateView> {
    if (this.#view.state !== 'ready') return this.#view;
    if (this.#deps.activeRuns() === 0) await this.#restart();
    else {
      this.#change({ ...this.#view, state: 'waiting' });
      void this.#restart();
    }
    return this.#view;
  }

  /** Cancels a pending restart that waits for runs; one in progress continues. */
  stay(): UpdateView {
    if (this.#view.state !== 'waiting') return this.#view;
    this.#decision += 1;
    this.#change({ ...this.#view, state: 'ready' });
    this.#deps.resume();
    return this.#view;
  }

  async #restart(): Promise<void> {
    const decision = (this.#decision += 1);
    try {
      await this.#deps.idle();
      if (this.#decision !== decision) return;
      this.#change({ ...this.#view, state: 'restarting' });
      const updater = await this.#updater;
      await this.#deps.closeEngine();
      updater?.quitAndInstall(false, true);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #open(): Promise<Updater> {
    const updater = await this.#deps.load();
    updater.autoDownload = true;
    // Quitting is not consent to an update, and may be the end of a session.
    updater.autoInstallOnAppQuit = false;
    updater.logger = null;
    updater.on('update-available', ({ version }) =>
      this.#change({ state: 'downloading', version, percent: 0 }),
    );
    updater.on('update-not-available', () => this.#change({ state: 'idle' }));
    updater.on('download-progress', ({ percent }) => this.#progress(percent));
    updater.on('update-downloaded', ({ version }) => {
      this.#change({ state: 'ready', version });
      this.#deps.notifyReady(version);
    });
    updater.on('error', (error) => this.#fail(error));
    return updater;
  }

  /** Rounded to whole steps, because each is sent to the window. */
  #progress(percent: number): void {
    const rounded = Math.floor(percent / 5) * 5;
    if (this.#view.state === 'downloading' && this.#view.percent !== rounded)
      this.#change({ ...this.#view, percent: rounded });
  }

  #fail(error: unknown): void {
    if (this.#view.state === 'failed') return;
    this.#deps.reportFailure('Update check failed', error);
    this.#change({ state: 'failed', reason: getErrorMessage(error) });
  }

  #change(view: UpdateView): void {
    const checkedAt =
      view.state === 'checking' ? toIso(this.#deps.clock.now()) : (this.#view.checkedAt ?? undefined);
    this.#view = { ...view, ...(checkedAt !== undefined && { checkedAt }) };
    this.#deps.onChange(this.#view);
  }
}
