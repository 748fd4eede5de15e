import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type {
  App,
  BrowserWindow,
  Dialog,
  MessageBoxOptions,
  Session,
  PowerMonitor,
  PowerSaveBlocker,
} from 'electron';
import type { Clock } from '../core/base/clock.ts';
import type { DesktopMessage } from '../core/contract/desktop-calls.ts';
import { openService, resolveHome, type Engine } from '../core/index.ts';
import type { Logger } from '../core/base/logger.ts';
import { appPaths } from './prepare-window.ts';
import type { DesktopSettingsFile } from './settings.ts';
import { loadUpdater, Updates, updatesUnavailableReason } from './updates.ts';
import { Autostart } from './autostart.ts';
import { CommandLink, windowsUserPath } from './command-link.ts';
import { SystemServices } from './system-services.ts';

/** Parts of the app that the system services use. */
export interface SystemServicesContext {
  readonly engine: Engine;
  readonly settings: DesktopSettingsFile;
  readonly clock: Clock;
  readonly app: App;
  readonly dialog: Dialog;
  readonly session: Session;
  window(): BrowserWindow | undefined;
  show(address?: string): void;
  notify(message: DesktopMessage): void;
  ask(options: MessageBoxOptions): Promise<{ response: number }>;
  /** Resolves when no run is active; no new ones start from then on. */
  idle(): Promise<void>;
  /** Resumes starting runs. */
  resume(): void;
  closeEngine(): Promise<void>;
  reportFailure(what: string, error: unknown): void;
}

/** Creates the services for this process, installation and user. */
export function openSystemServices(context: SystemServicesContext): SystemServices {
  const { engine, settings, clock, app, dialog, session } = context;
  return new SystemServices({
    engine,
    settings,
    clock,
    app,
    dialog,
    session,
    window: () => context.window(),
    show: (address) => context.show(address),
    notify: (message) => context.notify(message),
    ask: (options) => context.ask(options),
    autostart: openAutostart(context),
    command: new CommandLink(
      {
        platform: process.platform,
        wrapper: findWrapper(app.isPackaged),
        appImage: process.env['APPIMAGE'],
        userFolder: homedir(),
        searchPath: process.env['PATH'] ?? '',
      },
      windowsUserPath(),
    ),
    updates: openUpdates(context),
    openService: () =>
      openService({ home: engine.home, launcher: appPaths.launcher, environment: process.env }),
    trust(certificates) {
      if (certificates.length > 0)
        setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
    },
  });
}

/**
 * Returns the wrapper next to the package's archive, where the system can execute it; in a checkout, the built
 * launcher itself.
 */
const findWrapper = (isPackaged: boolean): string =>
  isPackaged
    ? path.join(process.resourcesPath, 'bin', process.platform === 'win32' ? 'engine.cmd' : 'engine')
    : appPaths.launcher;

function openAutostart({ engine, app }: SystemServicesContext): Autostart {
  const config = process.env['XDG_CONFIG_HOME'];
  const usual = resolveHome({ ...process.env, ENGINE_HOME: undefined });
  return new Autostart(
    {
      platform: process.platform,
      program: process.env['APPIMAGE'] || process.execPath,
      args: app.isPackaged ? [] : [app.getAppPath()],
      home: engine.home === usual ? undefined : engine.home,
      configFolder: config && path.isAbsolute(config) ? config : path.join(homedir(), '.config'),
      icon: app.isPackaged ? 'stepwright' : appPaths.icon,
    },
    app,
  );
}

function openUpdates(context: SystemServicesContext): Updates {
  const { engine, settings, app, clock } = context;
  const feed = path.join(process.resourcesPath, 'app-update.yml');
  return new Updates({
    clock,
    idle: () => context.idle(),
    resume: () => context.resume(),
    closeEngine: () => context.closeEngine(),
    reportFailure: (what, error) => context.reportFailure(what, error),
    offBecause: updatesUnavailableReason({
      isPackaged: app.isPackaged,
      hasFeed: existsSync(feed),
      forced: process.env['STEPWRIGHT_UPDATES'] === '1',
    }),
    load: loadUpdater,
    isAutomatic: () => settings.current.updates.automatic,
    activeRuns: () => engine.activeExecutions().length,
    onChange: () => context.notify({ kind: 'update_changed' }),
    notifyReady: (version) =>
      context.notify({
        kind: 'notice',
        notice: {
          tone: 'info',
          text: `Stepwright ${version} is ready to install. Restart from Settings.`,
          address: '#/settings',
        },
      }),
  });
}

/**
 * Follows the machine's sleep and shutdown.
 * @param onClockChanged checks the schedules immediately; the engine also detects a clock jump itself, within a second
 * @param leave quits gracefully, without a question, because the machine shuts down
 */
export function followPower(
  monitor: Pick<PowerMonitor, 'on'>,
  logger: Logger,
  onClockChanged: () => void,
  leave: () => void,
): void {
  monitor.on('suspend', () => logger.info('System is going to sleep'));
  monitor.on('resume', () => {
    logger.info('System woke up');
    onClockChanged();
  });
  monitor.on('shutdown', () => leave());
}

/** Prevents the machine from sleeping while runs are active, if the user has enabled that. */
export class KeepAwake {
  readonly #blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
  #id: number | undefined;

  constructor(blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>) {
    this.#blocker = blocker;
  }

  get isOn(): boolean {
    return this.#id !== undefined;
  }

  /** The display may still turn off. */
  set(isEnabled: boolean): void {
    if (isEnabled) this.#id ??= this.#blocker.start('prevent-app-suspension');
    else if (this.#id !== undefined) {
      this.#blocker.stop(this.#id);
      this.#id = undefined;
    }
  }
}
