import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type Page, chromium } from 'playwright';
import { findHeadlessBrowser } from './setup/browser.mjs';
import { ROOT } from './setup/run-command.mjs';

/** Pace of the simulated user. */
export interface TypingPace {
  /** Milliseconds between two characters; 0 inserts texts at once. */
  readonly typingMs: number;
  /** Cron expression of the workflow's schedule. */
  readonly schedule: string;
}

/**
 * Creates and schedules a workflow as a user would: adds a step and a schedule, saves, and waits until the
 * first scheduled run has succeeded. Rejects if a page does not work.
 * @param page on the dashboard
 */
async function createScheduledWorkflow(page: Page, { typingMs, schedule }: TypingPace): Promise<void> {
  const write = async (label: string, text: string): Promise<void> => {
    const field = page.getByRole('textbox', { name: label, exact: true });
    await field.fill('');
    await field.pressSequentially(text, { delay: typingMs });
  };
  await page.getByRole('link', { name: 'Workflows', exact: true }).click();
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await write('Name', 'disk-report');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'disk-report' }).waitFor();
  await page.locator('[data-canvas]').getByRole('button', { name: 'Add first step' }).click();
  await page.getByRole('dialog', { name: 'Add step' }).getByRole('option').first().click();
  await write('Command', 'df -h .');
  await page.getByRole('searchbox', { name: 'Find a field' }).fill('schedule');
  await page.getByRole('region', { name: 'Workflow settings' }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Add start time' }).click();
  await write('Start 1', schedule);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page
    .getByRole('row', { name: /Succeeded disk-report .* Schedule/ })
    .first()
    .waitFor();
}

/**
 * `npm run first-workflow`: measures the way from a clone to a scheduled run of a user's own workflow,
 * following the README: `git clone`, `npm start`, then the pages, with one second before each action and a
 * quarter of a second per character. Prints the seconds of each part and the total in minutes. `--here` uses
 * this checkout instead of a new clone; `--quick` removes the delays and schedules the workflow every second.
 * Exits with 1 if a part fails or the total exceeds the budget.
 */
const { values: requests } = parseArgs({
  options: { here: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
});

/** "Five minutes from the clone to a workflow of your own": the claim of docs/getting-started.md. */
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

/**
 * Starts the app as described in the README, with its own home directory; resolves when it prints its address.
 */
async function startApp(checkout: string): Promise<App> {
  const child = spawn('npm', ['start', '--', '--port', '0', '--engine-home', join(folder, 'home')], {
    cwd: checkout,
    // No window: the pages are used in a browser.
    env: { ...process.env, BROWSER: 'none', DISPLAY: '', WAYLAND_DISPLAY: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm does not forward signals: the whole process group receives them, as from a terminal.
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
    slowMo: requests.quick ? 0 : 1000,
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(url);
    await createScheduledWorkflow(
      page,
      requests.quick ? { typingMs: 0, schedule: '* * * * * *' } : { typingMs: 250, schedule: '* * * * *' },
    );
  } finally {
    await browser.close();
  }
}

const start = performance.now();
try {
  const checkout = requests.here ? ROOT : await timed('git clone', clone);
  const app = await timed('npm start, until the app is there', () => startApp(checkout));
  try {
    await timed('a workflow of their own, run by its schedule', () => useApp(app));
  } finally {
    await app.close();
  }
  const minutes = (performance.now() - start) / 60_000;
  const isWithinBudget = minutes <= BUDGET_MINUTES;
  console.log(`${minutes.toFixed(1)} minutes of ${BUDGET_MINUTES}: ${isWithinBudget ? 'kept' : 'NOT KEPT'}`);
  process.exitCode = isWithinBudget ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
