/**
 * The page of a 1 GB log in a browser: its first screen, the end, a line in the middle, scrolling, a search,
 * memory of the page, and scrolling a log of long wrapped lines. Run after a build: `node
 * test/bench/log-page.ts [megabytes]`. Needs that much space in the temporary folder.
 */
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { startServer } from '../e2e/rig/test-home.ts';
import { reportMetric } from './rig/figures.ts';

const megabytes = Number(process.argv[2] ?? 1000);
const folder = mkdtempSync(join(tmpdir(), 'stepwright-bench-'));
const home = join(folder, 'home');
mkdirSync(join(home, 'dags'), { recursive: true });
writeFileSync(
  join(home, 'dags/logs.yaml'),
  'steps:\n  - name: large\n    command: echo small\n  - name: wide\n    command: echo small\n',
);
const server = await startServer(home);
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await measure(page, await prepare());
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the step, and replaces its log with a large one. @returns the URL of its log */
async function prepare(): Promise<string> {
  const api = `${server.url}/api/v2`;
  const started = await fetch(`${api}/dags/logs/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const { dagRunId } = (await started.json()) as { dagRunId: string };
  for (;;) {
    const run = (await (await fetch(`${api}/dag-runs/logs/${dagRunId}`)).json()) as Detail;
    if (run.status === 'succeeded') {
      const [large, wide] = run.steps.map(({ attempts }) => attempts[0]!.stdoutFile);
      fill(large!);
      fillWide(wide!);
      return `${server.url}/#/runs/logs/${dagRunId}?view=steps&step=`;
    }
    await pause(50);
  }
}

interface Detail {
  readonly status: string;
  readonly steps: readonly { readonly attempts: readonly { readonly stdoutFile: string }[] }[];
}

function fill(file: string): void {
  const line = '2026-11-20T10:00:00Z INFO loaded row of region north, 42 columns checked, none refused\n';
  const block = Buffer.from(line.repeat(Math.floor(1_000_000 / line.length)));
  const descriptor = openSync(file, 'w');
  for (let written = 0; written < megabytes; written += 1) {
    writeSync(descriptor, block);
    if (written === 1) writeSync(descriptor, 'the needle is here\n');
  }
  writeSync(descriptor, 'the last line\n');
  closeSync(descriptor);
}

/** Lines that wrap to one to nine rows, some of them coloured. */
function fillWide(file: string): void {
  const words = 'INFO loaded row of region north, 42 columns checked, none refused; ';
  const lines = Array.from(
    { length: 60_000 },
    (_, index) => `\u001B[3${index % 7}m${index}\u001B[0m ${words.repeat(1 + ((index * 7) % 17))}\n`,
  );
  writeFileSync(file, lines.join(''));
}

async function measure(page: Page, address: string): Promise<void> {
  await page.goto(server.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const log = page.getByRole('log', { name: 'Output' });
  const heap = async (): Promise<number> => {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return usedSize / 1e6;
  };
  const resident = await watchRenderers(page);
  const before = await heap();
  const residentBefore = resident();
  const open = async (): Promise<void> => {
    await page.goto(`${address}large`);
    await log.getByText('the last line').waitFor();
  };
  await time('page of the run, its program, and first screen (the end)', open);
  await page.goto(`${server.url}/#/runs`);
  await log.waitFor({ state: 'detached' });
  await time('run page and first screen, reopened', open, 300);
  await time('whole index', () => page.getByText(/^[\d,]+ lines, /).waitFor({ timeout: 120_000 }));
  await log.focus();
  await time('start', async () => {
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'Line 1', exact: true }).waitFor();
    await log.getByText('loaded row').first().waitFor();
  });
  await scroll(page, 'scrolling by the wheel');
  await page.keyboard.press('Control+f');
  const status = page.getByRole('search', { name: 'Log' }).getByRole('status');
  const search = async (): Promise<void> => {
    await page.keyboard.insertText('needle');
    await status.getByText(/1 line/).waitFor();
  };
  // The page waits for the next key first.
  await time('search, first match (including 150 ms debounce)', search, 200 + 150);
  await time('search, whole log', () => status.getByText(/^1 line$/).waitFor({ timeout: 120_000 }));
  const max = resident();
  console.log(`  heap of the page: ${before.toFixed(1)} MB before, ${(await heap()).toFixed(1)} MB after`);
  const words = ({ footprint, own, now, max: peak }: Memory): string =>
    `footprint ${footprint.toFixed(0)} MB, private ${own.toFixed(0)} MB, resident ${now.toFixed(0)} MB (at most ${peak.toFixed(0)} MB)`;
  console.log(`  process of the page before:            ${words(residentBefore)}`);
  console.log(`  process of the page after:             ${words(max)}`);
  // The heap was measured after garbage collection.
  console.log(`  the same, its garbage collected:       ${words(resident())}`);
  await page.goto(`${address}wide`);
  await page.getByText(/^60,000 lines, /).waitFor();
  await page.getByRole('button', { name: 'Wrap lines' }).click();
  await log.focus();
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Line 1', exact: true }).waitFor();
  await scroll(page, 'wrapped lines, seen for the first time');
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Line 1', exact: true }).waitFor();
  await scroll(page, 'the same once more');
}

/** Memory of the renderer process, in MB. */
interface Memory {
  /** Anonymous memory, swapped out or not: the footprint in Chromium's task manager. */
  readonly footprint: number;
  /** Resident memory, including what is shared with other processes. */
  readonly now: number;
  readonly max: number;
  /** Memory mapped by no other process: the footprint, rendered tiles and parts of files. */
  readonly own: number;
}

/** Inspects the largest renderer process. */
async function watchRenderers(page: Page): Promise<() => Memory> {
  const session = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  return () =>
    pids
      .map((pid) => {
        const [status, rollup] = ['status', 'smaps_rollup'].map((file) =>
          readFileSync(`/proc/${pid}/${file}`, 'utf8'),
        );
        const read = (text: string, name: string): number =>
          Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1000;
        const own = read(rollup!, 'Private_Clean') + read(rollup!, 'Private_Dirty');
        const footprint = read(status!, 'RssAnon') + read(status!, 'VmSwap');
        return { footprint, now: read(status!, 'VmRSS'), max: read(status!, 'VmHWM'), own };
      })
      .reduce((largest, one) => (one.now > largest.now ? one : largest));
}

/** With the wheel, for two seconds. */
async function scroll(page: Page, label: string): Promise<void> {
  await page.mouse.move(900, 600);
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        let last = performance.now();
        const began = last;
        const tick = (): void => {
          const now = performance.now();
          times.push(now - last);
          last = now;
          if (now - began < 2_000) requestAnimationFrame(tick);
          else resolve(times);
        };
        requestAnimationFrame(tick);
      }),
  );
  for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, 400);
  const sorted = (await frames).toSorted((a, b) => a - b);
  const at = (share: number): string => sorted[Math.floor(sorted.length * share)]!.toFixed(1);
  console.log(
    `  ${label}: median frame ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${sorted.at(-1)!.toFixed(0)} ms`,
  );
}

async function time(label: string, operation: () => Promise<unknown>, budget?: number): Promise<void> {
  const began = performance.now();
  await operation();
  const took = performance.now() - began;
  if (budget !== undefined)
    reportMetric({ what: `log of ${megabytes} MB: ${label}`, figure: took, unit: 'ms', budget });
  console.log(`  ${label.padEnd(62)} ${took.toFixed(0).padStart(7)} ms`);
}
