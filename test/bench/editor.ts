/**
 * The visual editor in a browser with workflows of 100, 500 and 2,000 steps: opening, navigating, typing,
 * auto-layout. Each measurement is shown next to its budget and a floor from the same run. Needs `npm run
 * build`. `node_modules/.bin/node test/bench/editor.ts [steps …]`
 */
import { loadavg } from 'node:os';
import { chromium } from '@playwright/test';
import { parseAllDocuments } from 'yaml';
import { findBrowser } from '../../scripts/setup/browser.mjs';
import { startServer, TestHome } from '../e2e/rig/test-home.ts';
import { BenchedEditor } from './editor-bench/benched-editor.ts';
import { measureBaseline } from './editor-bench/page-floor.ts';
import { printHeader, printRows } from './editor-bench/table.ts';
import { writeWorkflow } from './editor-bench/write-workflow.ts';

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(100, 500, 2000);
const rounds = 3;

const middle = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]!;

/** The YAML library alone, one pass. */
function measureParsing(steps: number): number {
  const text = writeWorkflow(steps);
  const started = performance.now();
  parseAllDocuments(text);
  return Math.round(performance.now() - started);
}

const testHome = new TestHome();
for (const steps of sizes)
  for (let round = 0; round < rounds; round += 1)
    testHome.saveWorkflow(`steps-${steps}-${round}`, writeWorkflow(steps));
testHome.saveWorkflow('small', writeWorkflow(5));
const server = await startServer(testHome.home);
const executablePath = await findBrowser();
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const editor = new BenchedEditor(page, server.url);
  await editor.prepare();
  // The browser has the scripts cached from now on, as on any visit after the first.
  await editor.open('small');
  const floor = await measureBaseline(page, server.url);
  const smallMs = middle(await drawn('small', 'small', 'small'));
  console.log(`load average ${loadavg()[0]!.toFixed(1)}; page of the program loaded ${floor.loadMs} ms`);
  for (const steps of sizes) {
    printHeader(steps);
    await measureOpening(steps);
    const parseMs = measureParsing(steps);
    printRows(await editor.measureMoves(floor.frameMs));
    printRows(await editor.measureTyping(parseMs));
    printRows(await editor.measureEdits(steps, parseMs));
  }

  async function drawn(...names: string[]): Promise<number[]> {
    const times: number[] = [];
    for (const name of names) times.push((await editor.open(name)).drawnMs);
    return times;
  }

  async function measureOpening(steps: number): Promise<void> {
    const first: number[] = [];
    const quiet: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { drawnMs, quietMs } = await editor.open(`steps-${steps}-${round}`);
      first.push(drawnMs);
      quiet.push(quietMs);
    }
    const known = `steps-${steps}-0`;
    const again = await drawn(known, known, known);
    const limits = { floor: smallMs, budget: steps > 500 ? 2500 : 1000 };
    printRows([
      { what: 'open, first time', ms: middle(first), ...limits },
      { what: 'open, until idle', ms: middle(quiet), ...limits },
      { what: 'open, saved layout', ms: middle(again), ...limits },
    ]);
  }
} finally {
  await browser.close();
  await server.stop();
  testHome.remove();
}
