import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { _electron, type ElectronApplication } from '@playwright/test';
import { findBrowser, findHeadlessBrowser } from '../../scripts/setup/browser.mjs';

/** The Electron used by the desktop specs. */
export interface ElectronChoice {
  readonly kind: 'electron' | 'stand-in';
  /** The reason, for the person who runs the tests. */
  readonly reason: string;
}

export interface LaunchOptions {
  /** The application: a folder with a package.json. Omitted for an executable that has its own. */
  readonly application?: string;
  /** An executable with its application next to it, instead of the one returned by {@link chooseElectron}. */
  readonly executable?: string;
  readonly args?: readonly string[];
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface LaunchedElectron {
  readonly choice: ElectronChoice;
  readonly app: ElectronApplication;
  readonly processId: number;
  /** Output of the main process to stdout and stderr so far. */
  output(): string;
  /** Whether the process has exited. */
  hasExited(): boolean;
  /** Waits for the process to exit. @returns its exit code, null if a signal ended it */
  waitForExit(): Promise<number | null>;
  /** Requests the application to quit and kills it if it does not. */
  close(): Promise<void>;
}

/** The stand-in for Electron's `dist` folder. */
export const STANDIN_DIST = path.join(import.meta.dirname, 'dist');

const ELECTRON_PACKAGE = path.resolve(import.meta.dirname, '../../node_modules/electron');

/** How long an application may take to quit before it is killed. */
const CLOSE_LIMIT_MS = 10_000;

/** How long Playwright may take to clean up after an application has exited. */
const CLEAN_UP_LIMIT_MS = 2_000;

/** Variables of the test process that an application must not inherit. */
const WITHHELD_VARIABLES = ['ELECTRON_RUN_AS_NODE', 'NODE_OPTIONS'];

let announced = false;

/**
 * Real Electron where it can run, the stand-in elsewhere. `ELECTRON_OVERRIDE_DIST_PATH` takes precedence:
 * `test/electron-standin/dist` selects the stand-in, another folder contains a real Electron.
 */
export function chooseElectron(): ElectronChoice {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override) {
    const kind = path.resolve(override) === STANDIN_DIST ? 'stand-in' : 'electron';
    return { kind, reason: 'ELECTRON_OVERRIDE_DIST_PATH says so' };
  }
  if (!hasElectronBinary()) return { kind: 'stand-in', reason: 'no Electron binary is installed' };
  const needsDisplay = process.platform === 'linux';
  if (needsDisplay && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) {
    return { kind: 'stand-in', reason: 'there is no display; xvfb-run gives one' };
  }
  return { kind: 'electron', reason: 'its binary is installed' };
}

/** Starts an application under Playwright and prints once which Electron is used. */
export async function launchElectron(options: LaunchOptions): Promise<LaunchedElectron> {
  const choice = chooseElectron();
  if (!announced) process.stdout.write(`desktop specs run on ${choice.kind}: ${choice.reason}\n`);
  announced = true;
  // Playwright looks for the executable in this process's environment, not in the application's.
  if (choice.kind === 'stand-in') process.env['ELECTRON_OVERRIDE_DIST_PATH'] = STANDIN_DIST;
  const { application, executable, args = [] } = options;
  const app = await _electron.launch({
    args: [...(application === undefined ? [] : [application]), ...args],
    ...(application !== undefined && { cwd: application }),
    ...(executable !== undefined && { executablePath: executable }),
    env: await buildEnvironment(options.env ?? {}),
  });
  return observe(app, choice);
}

/** The environment of an application under test, with settings of the stand-in. */
export async function buildEnvironment(
  additions: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const isHeaded = { ...process.env, ...additions }['STANDIN_HEADED'] !== undefined;
  const browser = await (isHeaded ? findBrowser() : findHeadlessBrowser());
  const standIn = { STANDIN_NODE: process.execPath, ...(browser ? { CHROMIUM_PATH: browser } : {}) };
  const merged = { ...process.env, ...standIn, ...additions };
  const wanted = Object.entries(merged).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !WITHHELD_VARIABLES.includes(entry[0]),
  );
  return Object.fromEntries(wanted);
}

function hasElectronBinary(): boolean {
  const pointer = path.join(ELECTRON_PACKAGE, 'path.txt');
  if (!existsSync(pointer)) return false;
  return existsSync(path.join(ELECTRON_PACKAGE, 'dist', readFileSync(pointer, 'utf8').trim()));
}

function observe(app: ElectronApplication, choice: ElectronChoice): LaunchedElectron {
  const child = app.process();
  const chunks: string[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk.toString('utf8')));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk.toString('utf8')));
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    choice,
    app,
    processId: child.pid ?? 0,
    output: () => chunks.join(''),
    hasExited,
    waitForExit: () => (hasExited() ? Promise.resolve(child.exitCode) : exit),
    async close() {
      if (hasExited()) return;
      const closing = app.close().catch(() => undefined);
      await Promise.race([closing, pause(CLOSE_LIMIT_MS, undefined, { ref: false })]);
      if (!hasExited()) child.kill('SIGKILL');
      await exit;
      // Playwright removes its own folders after the exit.
      await Promise.race([closing, pause(CLEAN_UP_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}
