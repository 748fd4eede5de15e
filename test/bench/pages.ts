/**
 * `node test/bench/pages.ts [WORKFLOWS] [RUNS]`: load time and layout shift of the pages of the built app,
 * and how smoothly a long list scrolls, in the browser of the end-to-end tests. Frame time grows with other
 * load on the machine; frame work is the CPU time of the page's main thread alone.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright';
import { findBrowser } from '../../scripts/setup/browser.mjs';
import { startServer } from '../e2e/rig/test-home.ts';
import { fillRuns } from './rig/fill-runs.ts';

const [workflowCount = 1_000, runCount = 10_000] = process.argv.slice(2).map(Number);
const repeats = 3;
const home = mkdtempSync(path.join(tmpdir(), 'stepwright-pages-'));

/** Results of one page: the median of several loads. */
interface Figures {
  /** First contentful paint, ms after the navigation. */
  readonly painted: number;
  /** The first row is usable, ms after the navigation. */
  readonly usable: number;
  /** Cumulative layout shift during the load and the following second. */
  readonly shift: number;
}

async function main(): Promise<void> {
  mkdirSync(path.join(home, 'dags'), { recursive: true });
  for (let number = 0; number < workflowCount; number += 1) {
    const text = `description: Workflow ${number}\ntags: bench\nschedule: "0 3 * * *"\nsteps:\n  - name: one\n    command: "true"\n`;
    writeFileSync(path.join(home, `dags/workflow-${number}.yaml`), text);
  }
  await (await startServer(home)).stop();
  fillRuns(path.join(home, 'data/engine.db'), runCount, workflowCount);
  const server = await startServer(home);
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
  try {
    for (const [name, hash, row] of [
      ['dashboard', '/', 'main h1'],
      ['workflows', '/dags', 'main table tbody tr, main [role=row] [role=gridcell]'],
      ['runs', '/runs', 'main table tbody tr, main [role=row] [role=gridcell]'],
    ] as const)
      await measurePage(browser, name, `${server.url}/#${hash}`, row);
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function measurePage(browser: Browser, name: string, url: string, row: string): Promise<void> {
  const loads: Figures[] = [];
  let frames: number[] = [];
  let work = 0;
  for (let load = 0; load < repeats; load += 1) {
    // A new context has an empty cache.
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(watch);
    await page.goto(url);
    await page.locator(row).first().waitFor({ timeout: 60_000 });
    const usable = await page.evaluate(() => performance.now());
    const session = await context.newCDPSession(page);
    const before = await readWork(session);
    frames = await scroll(page);
    work = ((await readWork(session)) - before) / frames.length;
    const { painted, shift } = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      shift: (window as unknown as { benchShift: number }).benchShift,
    }));
    loads.push({ painted, usable, shift });
    await context.close();
  }
  const middle = (read: (one: Figures) => number): number =>
    loads.map(read).toSorted((one, other) => one - other)[Math.floor(repeats / 2)]!;
  const p95 = frames.toSorted((one, other) => one - other)[Math.floor(frames.length * 0.95)] ?? 0;
  console.log(
    `${name}: painted ${middle(({ painted }) => painted).toFixed(0)} ms, usable ${middle(({ usable }) => usable).toFixed(0)} ms, ` +
      `shift ${middle(({ shift }) => shift).toFixed(4)}, scrolling p95 ${p95.toFixed(1)} ms a frame, work ${work.toFixed(1)} ms a frame (${frames.length} frames)`,
  );
}

/** CPU time that the page's main thread has spent on tasks so far, ms. */
async function readWork(session: CDPSession): Promise<number> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** Runs in the page before anything else: sums layout shifts not caused by input. */
function watch(): void {
  const host = window as unknown as { benchShift: number };
  host.benchShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[])
      if (!entry.hadRecentInput) host.benchShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Scrolls the page's scroll container by 60 px per frame for two seconds. @returns frame times in ms */
const scroll = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const boxes = [...document.querySelectorAll('main *')].filter(
      (box) => box.scrollHeight > box.clientHeight + 100 && getComputedStyle(box).overflowY !== 'visible',
    );
    const lengths: number[] = [];
    let before = performance.now();
    for (let frame = 0; frame < 120; frame += 1) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      lengths.push(now - before);
      before = now;
      boxes[0]?.scrollBy(0, 60);
    }
    return lengths.slice(1);
  });

try {
  await main();
} finally {
  rmSync(home, { recursive: true, force: true });
}
