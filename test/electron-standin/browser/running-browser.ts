import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import { setChromeVersion } from '../launch/electron-process.ts';
import { buildBrowserArguments } from './browser-arguments.ts';
import { DevToolsConnection } from './devtools-connection.ts';
import { acquireProfileFolder } from './profile-folder.ts';

export interface BrowserOptions {
  readonly switches: ReadonlyMap<string, string>;
  /** The application's folder for page storage. */
  readonly storageFolder: string;
  /** Opens the debugging port and repeats Chromium's announcement of it on stderr. */
  readonly announceDevTools: boolean;
  /** The browser exited unexpectedly. */
  readonly onUnexpectedExit: (report: string) => void;
}

interface RunningBrowser {
  readonly connection: DevToolsConnection;
  close(): Promise<void>;
}

const INSTALLED_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** How long the browser has to exit by itself. */
const CLOSE_LIMIT_MS = 1_500;

/** How much of the browser's stderr is retained for an error report. */
const REPORT_LENGTH = 4_000;

let running: RunningBrowser | undefined;

/** The DevTools connection of the browser. @throws Error before {@link startBrowser} */
export function getBrowserConnection(): DevToolsConnection {
  if (!running) throw new Error('electron stand-in: the browser is not running');
  return running.connection;
}

/** Starts the Chromium that renders the windows. It exits when this process dies, since its pipe closes. */
export async function startBrowser(options: BrowserOptions): Promise<void> {
  const profile = await acquireProfileFolder(options.storageFolder);
  const args = buildBrowserArguments({
    profileFolder: profile.path,
    switches: options.switches,
    debuggingPort: options.announceDevTools,
    headed: Boolean(process.env['STANDIN_HEADED']),
  });
  const child = spawn(findBrowser(), args, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const output = collectStderr(child);
  const connection = new DevToolsConnection(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let closing = false;
  void closed.then(() => closing || options.onUnexpectedExit(`chromium went away\n${output.tail()}`));
  process.on('exit', () => child.kill('SIGKILL'));
  running = {
    connection,
    async close() {
      closing = true;
      connection.browser.send('Browser.close').catch(() => undefined);
      await Promise.race([closed, pause(CLOSE_LIMIT_MS)]);
      child.kill('SIGKILL');
      profile.release();
    },
  };
  const { product } = await connection.browser.send('Browser.getVersion');
  setChromeVersion(product.split('/')[1] ?? product);
  await connection.browser.send('Target.setDiscoverTargets', { discover: true });
  closePopups(connection);
  if (options.announceDevTools)
    process.stderr.write(`\nDevTools listening on ${await output.debuggingUrl}\n`);
}

/** Closes the browser, if it runs. */
export async function closeBrowser(): Promise<void> {
  await running?.close();
}

function findBrowser(): string {
  const found =
    process.env['CHROMIUM_PATH'] ?? INSTALLED_BROWSERS.find((candidate) => fs.existsSync(candidate));
  if (!found) throw new Error(`electron stand-in: no Chromium found in ${INSTALLED_BROWSERS.join(', ')}`);
  return found;
}

/** Pages cannot open their own windows here: pages opened past the window-open handler are closed. */
function closePopups({ browser }: DevToolsConnection): void {
  browser.on('Target.targetCreated', ({ targetInfo }) => {
    if (!targetInfo.openerId) return;
    browser.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => undefined);
  });
}

function collectStderr(child: ChildProcess): { debuggingUrl: Promise<string>; tail: () => string } {
  let text = '';
  const { promise, resolve } = Promise.withResolvers<string>();
  child.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-REPORT_LENGTH);
    const match = /^DevTools listening on (ws:\S+)$/m.exec(text);
    if (match?.[1]) resolve(match[1]);
  });
  return { debuggingUrl: promise, tail: () => text };
}
