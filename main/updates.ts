import { readFileSync } from 'node:fs';
import type { Session } from 'electron';
import { toIso, type Clock, type Dispose } from '../core/base/clock.ts';
import { getErrorMessage } from '../core/base/errors.ts';
import type { DesktopOutput, DesktopSettings } from '../core/contract/desktop-calls.ts';

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
export interface UpdatesOptions {
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
  readonly #options: UpdatesOptions;
  #view: UpdateView;
  #updater: Promise<Updater> | undefined;
  readonly #timers: Dispose[] = [];
  /** Incremented by each decision about the restart, so that a cancelled wait has no effect. */
  #decision = 0;

  constructor(options: UpdatesOptions) {
    this.#options = options;
    const { offBecause } = options;
    this.#view = offBecause === undefined ? { state: 'idle' } : { state: 'off', reason: offBecause };
  }

  get view(): UpdateView {
    return this.#view;
  }

  /** Starts automatic checks: some time after the start, then several times a day. */
  begin(): void {
    if (this.#view.state === 'off') return;
    const checkForUpdate = (): void => void (this.#options.isAutomatic() && this.check());
    const { clock } = this.#options;
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
    if (this.#options.activeRuns() === 0) await this.#restart();
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
    this.#options.resume();
    return this.#view;
  }

  async #restart(): Promise<void> {
    const decision = (this.#decision += 1);
    try {
      await this.#options.idle();
      if (this.#decision !== decision) return;
      this.#change({ ...this.#view, state: 'restarting' });
      const updater = await this.#updater;
      await this.#options.closeEngine();
      updater?.quitAndInstall(false, true);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #open(): Promise<Updater> {
    const updater = await this.#options.load();
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
      this.#options.notifyReady(version);
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
    this.#options.reportFailure('Update check failed', error);
    this.#change({ state: 'failed', reason: getErrorMessage(error) });
  }

  #change(view: UpdateView): void {
    const checkedAt =
      view.state === 'checking' ? toIso(this.#options.clock.now()) : (this.#view.checkedAt ?? undefined);
    this.#view = { ...view, ...(checkedAt !== undefined && { checkedAt }) };
    this.#options.onChange(this.#view);
  }
}

type NetworkSettings = DesktopSettings['network'];

/** Applies proxy and certificate settings to the updater, the engine and runs. */
export class NetworkSettingsApplier {
  /** Session of the updater; pages load nothing from the network. */
  readonly #session: Pick<Session, 'setProxy'>;
  /** Trusts additional certificates, PEM; none for an empty list. */
  readonly #trust: (certificates: readonly string[]) => void;
  /** Sets variables of runs that start from now on; see `Engine`. */
  readonly #changeVariables: (variables: Readonly<Record<string, string>>, passed: readonly string[]) => void;
  readonly #reportProblem: (text: string) => void;
  #applied: NetworkSettings | undefined;

  constructor(
    session: Pick<Session, 'setProxy'>,
    trust: (certificates: readonly string[]) => void,
    changeVariables: (variables: Readonly<Record<string, string>>, passed: readonly string[]) => void,
    reportProblem: (text: string) => void,
  ) {
    this.#session = session;
    this.#trust = trust;
    this.#changeVariables = changeVariables;
    this.#reportProblem = reportProblem;
  }

  async apply(settings: NetworkSettings): Promise<void> {
    if (JSON.stringify(settings) === JSON.stringify(this.#applied)) return;
    this.#applied = settings;
    const problem = findProblem(settings);
    if (problem !== undefined) this.#reportProblem(problem);
    this.#changeVariables(...runVariables(settings));
    this.#trust(readCertificates(settings.caFile));
    try {
      await this.#session.setProxy(toProxyConfig(settings));
    } catch (error) {
      this.#reportProblem(`Could not apply the proxy: ${getErrorMessage(error)}`);
    }
  }
}

/** Programs differ in whether they read upper-case or lower-case names. */
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]);

/** Returns the variables of runs from the settings, as for `Engine.changeVariables`. */
export const runVariables = (
  settings: NetworkSettings,
): [variables: Readonly<Record<string, string>>, passed: readonly string[]] => [
  toVariables(settings),
  settings.proxyMode === 'manual' && settings.forSteps ? proxyNames : [],
];

/** Returns the variables that the settings determine; an empty string removes a variable. */
function toVariables({ proxyMode, proxy, proxyBypass, caFile }: NetworkSettings): Record<string, string> {
  const ca: Record<string, string> = caFile === '' ? {} : { NODE_EXTRA_CA_CERTS: caFile };
  if (proxyMode === 'system') return ca;
  const address = proxyMode === 'manual' && isProxyAddress(proxy) ? proxy : '';
  const values = { HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: address === '' ? '' : proxyBypass };
  const both = Object.entries(values).flatMap(([name, value]) => [
    [name, value],
    [name.toLowerCase(), value],
  ]);
  return { ...Object.fromEntries(both), ...ca };
}

/** Converts the settings to a Chromium proxy configuration. */
export function toProxyConfig({ proxyMode, proxy, proxyBypass }: NetworkSettings): Electron.ProxyConfig {
  if (proxyMode === 'system') return { mode: 'system' };
  if (proxyMode === 'none' || !isProxyAddress(proxy)) return { mode: 'direct' };
  return { mode: 'fixed_servers', proxyRules: proxy, proxyBypassRules: proxyBypass };
}

/** Returns what is wrong with the settings, and what to do. */
function findProblem({ proxyMode, proxy, caFile }: NetworkSettings): string | undefined {
  // The user is about to enter an address.
  if (proxyMode === 'manual' && proxy !== '' && !isProxyAddress(proxy))
    return `Invalid proxy URL "${proxy}". Use a URL such as http://proxy.example:3128. No proxy is used.`;
  if (caFile === '') return undefined;
  try {
    if (readFileSync(caFile, 'utf8').includes('-----BEGIN CERTIFICATE-----')) return undefined;
    return `${caFile} contains no PEM certificate.`;
  } catch (error) {
    return `Could not read the certificate file: ${getErrorMessage(error)}`;
  }
}

function readCertificates(file: string): string[] {
  if (file === '') return [];
  try {
    return [
      ...readFileSync(file, 'utf8').matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g),
    ].map(([pem]) => pem);
  } catch {
    // Reported already.
    return [];
  }
}

function isProxyAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '';
}
