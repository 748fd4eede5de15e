import {
  existsSync,
  readFileSync,
  statSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Manual checks, each a sentence to confirm on each platform. */
export const checklist: readonly string[] = [
  'Tray: the icon shows idle, running, failed and paused; the menu opens with either mouse button; on GNOME without an extension the app says how to get back.',
  'Notifications: a failure shows one, its buttons Open and Retry work; with quiet hours on none comes.',
  'Sleep: after a suspend of ten minutes a schedule that was due in it starts once.',
  'Start at login: after signing out and in the app is in the tray, without a window.',
  'Links: with the package installed, stepwright://dag/sales-etl from a browser opens the editor, with the app running and not.',
  'Files: "open with" on a .dag.yaml shows it and runs nothing; dropping it on the window does the same.',
  'Keychain: on a desktop with GNOME Keyring or KWallet there is no warning, and a secret works after a new start.',
  'Terminal: vim and less draw rightly, resize with the window, copy and paste work; closing the window with vim open asks.',
  'Service: switched on, systemctl --user status stepwright (launchctl, Task Scheduler) shows it after signing in; switched off, nothing is left.',
  'The command: switched on, engine --version works in a new terminal; with an AppImage as well.',
  'Updates: with a feed, a new version is downloaded and told of; with a run active it is taken only after its end.',
  'Speed: the window can be used within a second of the click on its icon; with the window closed the processes of the app take no processor time.',
  'macOS: the archive is signed and notarised, a first start shows no warning; Windows: the installer and its removal leave no files but the home.',
];

/** The binary that runs the specs. */
export type ChosenBinary =
  | {
      /** The executable's directory, for `ELECTRON_OVERRIDE_DIST_PATH`. */
      readonly folder: string;
      /** Why it was chosen. */
      readonly reason: string;
    }
  | { readonly missing: string };

/** The variable that selects another binary. */
export const binaryVariable = 'ELECTRON_BINARY';

/** Name of the executable in Electron's `dist`, as in the package `electron`. */
const executables: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/**
 * Chooses the binary: that of `ELECTRON_BINARY`, an executable or its directory, or the installed one.
 * @param electron directory of the package `electron`
 */
export function chooseBinary(
  electron: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): ChosenBinary {
  const executable = executables[platform] ?? 'electron';
  const named = env[binaryVariable];
  if (named) return chooseNamed(resolve(named), executable);
  const pointer = join(electron, 'path.txt');
  const folder = join(electron, 'dist');
  if (existsSync(pointer) && existsSync(join(folder, readFileSync(pointer, 'utf8').trim())))
    return { folder, reason: 'it is installed' };
  return {
    missing: [
      'The Electron binary is not installed, so no spec was run.',
      'On a machine with a network, run: npx install-electron',
      `Or name one that is elsewhere: ${binaryVariable}=PATH npm run e2e:electron`,
    ].join('\n'),
  };
}

function chooseNamed(named: string, executable: string): ChosenBinary {
  const reason = `${binaryVariable} says so`;
  if (!existsSync(named))
    return { missing: `${binaryVariable} names ${named}, which does not exist, so no spec was run.` };
  if (!statSync(named).isDirectory()) {
    const folder = executable.split('/').reduce((path) => dirname(path), named);
    if (join(folder, executable) === named) return { folder, reason };
  } else if (existsSync(join(named, executable))) return { folder: named, reason };
  return {
    missing: `${binaryVariable} names ${named}, which is no ${executable} nor a folder that holds one, so no spec was run.`,
  };
}

/** Output of electron-builder and its downloads when a server is unreachable. */
const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EPIPE|EPROTO|socket hang up|disconnected before|fetch failed|certificate|Response code \d+/;

/** Explains what to do on a machine without the Electron binary that cannot download it. */
const explainMissingElectron = (reason: string): string =>
  [
    `No package was made: the Electron binary is not installed, and fetching it failed (${reason}).`,
    'On a machine with a network, run: npx install-electron',
    'Or name a folder that holds it: npm run package -- -c.electronDist=FOLDER',
  ].join('\n');

/**
 * Explains why electron-builder failed and what to do.
 * @param output its complete output
 */
export function explainFailure(output: string): string {
  const target = /failed to build (\S+)/.exec(output)?.[1];
  if (unreachable.test(output)) {
    return [
      `No package was made: ${target === undefined ? 'something' : `a tool for ${target}`} that electron-builder fetches could not be fetched.`,
      'Run it again with a network; what was fetched once is kept.',
      'The app in a folder needs no such tool: npm run package -- --dir',
    ].join('\n');
  }
  return 'No package was made: electron-builder failed, as it says above.';
}

/** The source of the Electron binary to package. */
export type ElectronSource =
  /** The installed one, in this directory. */
  | { readonly from: 'folder'; readonly folder: string }
  /** electron-builder finds it: the arguments name a directory or another platform. */
  | { readonly from: 'builder' }
  | { readonly from: 'nowhere'; readonly reason: string };

/** Arguments after which the installed binary, which is for this platform, is not packaged. */
const otherWords =
  /^(-c\.electronDist\b|--config\.electronDist\b|--prepackaged|--pd\b|-[mwo]+$|--(mac|macos|win|windows|ia32|x64|armv7l|arm64|universal)$)/;

/**
 * Finds the Electron binary, or downloads it if it is missing: before the build, so that a machine without a
 * network fails immediately.
 * @param electron directory of the package `electron`
 * @param args arguments for electron-builder
 */
async function findElectron(electron: string, args: readonly string[]): Promise<ElectronSource> {
  if (args.some((word) => otherWords.test(word))) return { from: 'builder' };
  const folder = join(electron, 'dist');
  if (hasBinary(electron)) return { from: 'folder', folder };
  const reason = await fetchBinary(electron);
  return hasBinary(electron) ? { from: 'folder', folder } : { from: 'nowhere', reason };
}

/**
 * Whether the binary of this version is installed; after an upgrade of the package, an older one may remain.
 */
function hasBinary(electron: string): boolean {
  try {
    const { version } = JSON.parse(readFileSync(join(electron, 'package.json'), 'utf8')) as {
      version: string;
    };
    const binary = readFileSync(join(electron, 'path.txt'), 'utf8').trim();
    const present = readFileSync(join(electron, 'dist/version'), 'utf8').trim().replace(/^v/, '');
    return present === version && existsSync(join(electron, 'dist', binary));
  } catch {
    return false;
  }
}

/** Runs the same script as `npx install-electron`. @returns its error message */
function fetchBinary(electron: string): Promise<string> {
  return new Promise((onFetched) => {
    execFile(process.execPath, [join(electron, 'install.js')], (error, _stdout, stderr) => {
      const [first = ''] = stderr.split('\n', 1);
      onFetched(first || (error?.message ?? 'its installer made no binary'));
    });
  });
}

const ROOT = join(import.meta.dirname, '../..');
const BUILDER = join(ROOT, 'node_modules/electron-builder/cli.js');
const ELECTRON = join(ROOT, 'node_modules/electron');

/** Default output directory, as in electron-builder.yml. */
const usualOutput = 'dist';
const outputWord = /^(?:-c|--config)\.directories\.output=(.+)$/;

/** Debug output of electron-builder. */
const notes = /^builder-(debug|effective-config)\.ya?ml$/;

export interface PackageOptions {
  /** Arguments for electron-builder. */
  readonly words: readonly string[];
  /** Builds the app. Called once an Electron binary is available. */
  build(): void;
  printLine(line: string): void;
  /** Directory of the package `electron`; the installed one by default. */
  readonly electron?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Creates the packages of this platform in a separate directory and moves them to the output when all are
 * complete, so that a failure leaves previous packages in place.
 * @returns the exit code; if it is not 0, the reason and what to do have been printed
 */
export async function makePackages(options: PackageOptions): Promise<number> {
  const { words: args, printLine, electron = ELECTRON, env = process.env } = options;
  const source = await findElectron(electron, args);
  if (source.from === 'nowhere') {
    printLine(explainMissingElectron(source.reason));
    return 1;
  }
  options.build();
  const output = resolve(
    ROOT,
    args.flatMap((word) => outputWord.exec(word)?.[1] ?? []).at(-1) ?? usualOutput,
  );
  const existed = existsSync(output);
  mkdirSync(output, { recursive: true });
  const staging = mkdtempSync(join(output, '.making-'));
  try {
    const failure = await runBuilder(
      [
        '--publish=never',
        `-c.directories.output=${staging}`,
        ...(source.from === 'folder' ? [`-c.electronDist=${source.folder}`] : []),
        ...args.filter((word) => !outputWord.test(word)),
      ],
      { printLine, env },
    );
    if (failure === undefined) {
      for (const path of moveResults(staging, output)) printLine(path);
      return 0;
    }
    printLine(explainFailure(failure));
    return 1;
  } finally {
    rmSync(staging, { recursive: true, force: true });
    if (!existed && readdirSync(output).length === 0) rmdirSync(output);
  }
}

/** Moves the results. @returns the paths */
function moveResults(staging: string, output: string): string[] {
  return readdirSync(staging)
    .filter((name) => !notes.test(name))
    .map((name) => {
      const target = join(output, name);
      rmSync(target, { recursive: true, force: true });
      renameSync(join(staging, name), target);
      return target;
    });
}

/** @returns its complete output if it failed; stack traces are not printed */
async function runBuilder(
  args: readonly string[],
  { printLine, env }: { printLine(line: string): void; env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  const child = spawn(process.execPath, [BUILDER, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Ctrl-C reaches the child process as well; its leftovers are removed after it has ended.
  const end = (): void => void child.kill('SIGTERM');
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, end);
  const written: string[] = [];
  const read = (stream: Readable): Promise<unknown> => {
    const lines = createInterface({ input: stream });
    lines.on('line', (line) => {
      written.push(line);
      if (!/^\s+at /.test(line)) printLine(line);
    });
    return once(lines, 'close');
  };
  const [[code]] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    read(child.stdout),
    read(child.stderr),
  ]);
  for (const signal of signals) process.off(signal, end);
  return code === 0 ? undefined : written.join('\n');
}
