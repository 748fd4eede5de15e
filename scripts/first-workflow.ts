import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { scheduleOwnWorkflow } from './first-workflow/schedule-own-workflow.ts';
import { findHeadlessBrowser } from './setup/browser.mjs';
import { ROOT } from './setup/paths.mjs';

/**
 * `npm run first-workflow`: from a clone to an own workflow that has run by its schedule, as a person does it
 * who reads the README: `git clone`, `npm start`, then the pages, with a second before each move and a quarter of a
 * second for each character. Prints the seconds of each part, and the minutes of all. `--here` does it
 * with this checkout instead of a new clone, `--quick` without the pace of a person and with a schedule of every
 * second. Ends with 1 when a part fails, or when all take longer than the budget.
 */
const { values: wishes } = parseArgs({
  options: { here: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
});

/** "Five minutes from the clone to a workflow of your own", as docs/getting-started.md says. */
const BUDGET_MINUTES = 5;
const folder = mkdtempSync(join(tmpdir(), 'stepwright-first-'));

async function timed<Result>(what: string, act: () => Result | Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await act();
  console.log(`${what.padEnd(44)}${((performance.now() - start) / 1000).toFixed(1).padStart(8)} s`);
  return result;
}

function clone(): string {
  const target = join(folder, 'stepwright');
  const { status, stderr } = spawnSync('git', ['clone', '--quiet', ROOT, target], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git clone failed: ${stderr}`);
  return target;
}

interface App {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the app as the README says, with a home of its own; resolves when it tells its address. */
async function startApp(checkout: string): Promise<App> {
  const child = spawn('npm', ['start', '--', '--port', '0', '--engine-home', join(folder, 'home')], {
    cwd: checkout,
    // No window: the pages are used in a browser.
    env: { ...process.env, BROWSER: 'none', DISPLAY: '', WAYLAND_DISPLAY: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm does not pass signals on: the whole group gets them, as from a terminal.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const said: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    const read = (line: string): void => {
      said.push(line);
      const [address] = /http:\/\/\S+/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    };
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', read);
    void ended.then(() => reject(new Error(`npm start has ended; it said:\n${said.join('\n')}`)));
  });
  return {
    url,
    close: async () => {
      process.kill(-child.pid!, 'SIGINT');
      await ended;
    },
  };
}

async function useApp({ url }: App): Promise<void> {
  const executablePath = await findHeadlessBrowser();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
    slowMo: wishes.quick ? 0 : 1000,
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(url);
    await scheduleOwnWorkflow(
      page,
      wishes.quick ? { typingMs: 0, schedule: '* * * * * *' } : { typingMs: 250, schedule: '* * * * *' },
    );
  } finally {
    await browser.close();
  }
}

const start = performance.now();
try {
  const checkout = wishes.here ? ROOT : await timed('git clone', clone);
  const app = await timed('npm start, until the app is there', () => startApp(checkout));
  try {
    await timed('a workflow of their own, run by its schedule', () => useApp(app));
  } finally {
    await app.close();
  }
  const minutes = (performance.now() - start) / 60_000;
  const isKept = minutes <= BUDGET_MINUTES;
  console.log(`${minutes.toFixed(1)} minutes of ${BUDGET_MINUTES}: ${isKept ? 'kept' : 'NOT KEPT'}`);
  process.exitCode = isKept ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
