/**
 * The run page during a run of 500 steps, of which 50 finish every second: frame time, and the time from the
 * end of a step to its status icon on screen, in each view. Needs a build. Frame time grows with other load
 * on the machine; frame work is the CPU time of the page's main thread alone. `node test/bench/run-page.ts
 * [steps] [steps per second] [view]`
 */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { chromium, type CDPSession, type Page } from '@playwright/test';
import type { RunDetailView } from '../../core/contract/run-views.ts';
import { findBrowser } from '../../scripts/setup/browser.mjs';
import { startServer, TestHome } from '../e2e/rig/test-home.ts';
import { reportMetric } from './rig/figures.ts';

const stepCount = Number(process.argv[2] ?? 500);
const rate = Number(process.argv[3] ?? 50);
const views = process.argv[4] === undefined ? ['graph', 'timeline', 'steps'] : [process.argv[4]];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * As many chains as steps finish per second, of steps that take a second each; they start when a file exists.
 */
const makeWorkflow = (latch: string): string =>
  [
    'type: graph',
    'params: VIEW=graph',
    'steps:',
    `  - { name: gate, command: "until [ -e ${latch}-$VIEW ]; do sleep 0.1; done" }`,
    ...Array.from({ length: stepCount }, (_, index) => {
      const after = `, depends: ${index < rate ? 'gate' : `s${index - rate}`}`;
      // Slightly staggered, as in real workflows.
      const seconds = index < rate ? 0.5 + index / rate : 1;
      return `  - { name: s${index}, command: [sleep, "${seconds.toFixed(2)}"]${after} }`;
    }),
  ].join('\n');

/** What the page records about itself: frame times, and when each step was shown as succeeded. */
function watchPage(): void {
  const seen = new Map<string, number>();
  const frames: number[] = [];
  const marks = { seen, frames };
  Object.assign(window, { marks });
  let last = performance.now();
  const sampleFrame = (): void => {
    const now = performance.now();
    frames.push(now - last);
    last = now;
    requestAnimationFrame(sampleFrame);
  };
  requestAnimationFrame(sampleFrame);
  const nameOf = (element: Element): string | undefined =>
    element.querySelector<HTMLElement>('[data-node-id]')?.dataset['nodeId']?.replace(/^step:/, '') ??
    /^(\S+), succeeded/.exec(element.textContent)?.[1] ??
    (/Succeeded/.test(element.textContent) ? element.querySelector('td button')?.textContent : undefined);
  const changed = new Set<Element>();
  new MutationObserver((records) => {
    if (changed.size === 0)
      requestAnimationFrame(() => {
        const at = Date.now();
        for (const element of changed) {
          const name = nameOf(element);
          if (name !== undefined && !seen.has(name)) seen.set(name, at);
        }
        changed.clear();
      });
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const place = element?.closest('[data-status="succeeded"], [role="treeitem"], tr');
      if (place) changed.add(place);
    }
  }).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ['data-status'],
  });
}

declare global {
  /** Runs in the page. */
  var marks: { seen: Map<string, number>; frames: number[] };
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN;

interface Api {
  readonly page: Page;
  readonly url: string;
}

async function readRun({ page, url }: Api, dagRunId: string): Promise<RunDetailView> {
  const answer = await page.request.get(`${url}/api/v2/dag-runs/wide/${dagRunId}`);
  return (
    ((await answer.json()) as { dagRunDetails?: RunDetailView } & RunDetailView).dagRunDetails ??
    answer.json()
  );
}

const workNames = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const;

/** CPU time that the page's main thread has spent so far, ms. */
async function readWork(session: CDPSession): Promise<Record<(typeof workNames)[number], number>> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { metrics } = await session.send('Performance.getMetrics');
  const valueOf = (wanted: string): number =>
    (metrics.find(({ name }) => name === wanted)?.value ?? 0) * 1000;
  return {
    TaskDuration: valueOf('TaskDuration'),
    ScriptDuration: valueOf('ScriptDuration'),
    RecalcStyleDuration: valueOf('RecalcStyleDuration'),
    LayoutDuration: valueOf('LayoutDuration'),
  };
}

async function measure(api: Api, view: string): Promise<void> {
  const { page, url } = api;
  const start = await page.request.post(`${url}/api/v2/dags/wide/start`, {
    data: { params: `VIEW=${view}` },
  });
  const { dagRunId } = (await start.json()) as { dagRunId: string };
  await page.goto(`${url}/#/runs/wide/${dagRunId}?view=${view}`);
  await page.locator('[data-node-id], [role="treeitem"], tbody tr').first().waitFor();
  // The page is loaded, and the machine idle again.
  await page.waitForTimeout(2_000);
  await page.evaluate(watchPage);
  // What the machine can do at all: it may be shared.
  await page.waitForTimeout(2_000);
  const rest = await page.evaluate(() => globalThis.marks.frames.splice(0));
  const session = await page.context().newCDPSession(page);
  const before = await readWork(session);
  writeFileSync(testHome.file(`gate-${view}`), '');
  // Asked of the engine: waiting for something on the page would check it in every frame.
  while ((await readRun(api, dagRunId)).finishedAt === undefined) await page.waitForTimeout(500);
  // Rendering after the end counts as well.
  await page.waitForTimeout(500);
  const { seen, frames } = await page.evaluate(() => ({
    seen: [...globalThis.marks.seen],
    frames: globalThis.marks.frames,
  }));
  const after = await readWork(session);
  const run = await readRun(api, dagRunId);
  const ends = new Map(run.steps.map(({ name, finishedAt }) => [name, Date.parse(finishedAt ?? '')]));
  const delays = seen.map(([name, at]) => at - (ends.get(name) ?? Number.NaN)).filter((delay) => delay >= 0);
  const took = Date.parse(run.finishedAt ?? '') - Date.parse(run.steps[0]?.finishedAt ?? '');
  const cells = [
    view.padEnd(9),
    `${(stepCount / (took / 1000)).toFixed(0)} steps/s`,
    `at rest p95 ${quantile(rest, 0.95).toFixed(1)}`,
    `frames p50 ${quantile(frames, 0.5).toFixed(1)} p95 ${quantile(frames, 0.95).toFixed(1)} p99 ${quantile(frames, 0.99).toFixed(1)} ms`,
    `work of a frame ${workNames.map((name) => `${name.replace('Duration', '')} ${((after[name] - before[name]) / frames.length).toFixed(1)}`).join(', ')} ms`,
    `step to pixel p50 ${quantile(delays, 0.5).toFixed(0)} p95 ${quantile(delays, 0.95).toFixed(0)} ms (${delays.length} seen)`,
  ];
  print(cells.join('  '));
  const late = quantile(delays, 0.95);
  reportMetric({
    what: `step end to paint, ${view}, p95`,
    figure: late,
    unit: 'ms',
    budget: 150,
  });
}

const testHome = new TestHome();
testHome.saveWorkflow('wide', makeWorkflow(testHome.file('gate')));
const server = await startServer(testHome.home);
const executablePath = await findBrowser();
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
print(`${stepCount} steps, ${rate} a second, load ${loadavg()[0]?.toFixed(1)}`);
for (const view of views) await measure({ page, url: server.url }, view);
await browser.close();
await server.stop();
testHome.remove();
