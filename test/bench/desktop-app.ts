/**
 * The desktop app on whichever Electron is installed: time until its window is usable compared with an app
 * that only shows a page, how long its main process blocks during a run of 1,000 steps compared with the idle
 * app, and what closing the window frees: memory, and CPU time of the app in the tray. Needs a build. `node
 * test/bench/desktop-app.ts [steps] [seconds in the tray]`
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import type { monitorEventLoopDelay } from 'node:perf_hooks';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { launchApp, type DesktopApp } from '../e2e/rig/launch-app.ts';
import { TestHome } from '../e2e/rig/test-home.ts';
import { WebUi } from '../e2e/rig/web-ui.ts';
import { launchElectron } from '../electron-standin/launch-electron.ts';
import { reportMetric } from './rig/figures.ts';

const stepCount = Number(process.argv[2] ?? 1000);
const traySeconds = Number(process.argv[3] ?? 60);
const starts = 7;
const restMs = 5000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(0);

declare global {
  /** Runs in the main process. */
  var loopDelay: ReturnType<typeof monitorEventLoopDelay>;
}

const watchLoop = ({ app }: DesktopApp): Promise<void> =>
  app.evaluate(() => {
    const hooks = process.getBuiltinModule('node:perf_hooks');
    globalThis.loopDelay = hooks.monitorEventLoopDelay({ resolution: 1 });
    globalThis.loopDelay.enable();
  });

/** Milliseconds; the histogram counts the time between its own ticks, 1 ms apart. */
const readLoop = ({ app }: DesktopApp): Promise<{ p50: number; p99: number; max: number }> =>
  app.evaluate(() => {
    const delay = globalThis.loopDelay;
    delay.disable();
    const ms = (nanoseconds: number): number => Math.round(nanoseconds / 1e5) / 10;
    return { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) };
  });

const readMemory = ({ app }: DesktopApp): Promise<number> => app.evaluate(() => process.memoryUsage().rss);
const countStreams = ({ app }: DesktopApp): Promise<number> =>
  app.evaluate(() =>
    (globalThis as unknown as { stepwrightTest: { liveStreams(): number } }).stepwrightTest.liveStreams(),
  );

/** An app that only shows a small page. */
const bareApp = path.join(import.meta.dirname, '../electron-standin/fixture');

/** Interleaved, so that other load on the machine affects both. */
async function measureStarts(testHome: TestHome): Promise<void> {
  const times: Record<'bare' | 'app', number[]> = { bare: [], app: [] };
  for (let count = 0; count < starts; count += 1) {
    let begin = performance.now();
    const bare = await launchElectron({
      application: bareApp,
      env: { FIXTURE_USER_DATA: path.join(testHome.folder, 'bare') },
    });
    await (await bare.app.firstWindow()).locator('body > *').first().waitFor();
    times.bare.push(performance.now() - begin);
    await bare.close();
    begin = performance.now();
    const desktop = await launchApp({ home: testHome.home });
    // As above: an expectation would poll again only after 100, 250 and 500 ms.
    await desktop.window.getByRole('heading', { level: 1 }).waitFor();
    times.app.push(performance.now() - begin);
    await desktop.close();
  }
  print('from the start of the process, ms                 best  median');
  for (const [name, kind] of [
    ['a bare page (floor, with the test driver)', 'bare'],
    ['app window interactive (goal 1000)', 'app'],
  ] as const) {
    const sorted = times[kind].toSorted((left, right) => left - right);
    print(`${name.padEnd(48)} ${milliseconds(sorted[0]!)} ${milliseconds(middle(sorted))}`);
  }
  const [floor, whole] = [middle(times.bare), middle(times.app)];
  reportMetric({ what: 'app window interactive', floor, figure: whole, unit: 'ms', budget: 1000 });
  print(
    `of which the app itself: ${(whole - floor).toFixed(0)} ms (goal 300), ratio ${(whole / floor).toFixed(2)}`,
  );
}

const milliseconds = (value: number): string => value.toFixed(0).padStart(7);
const middle = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;

async function measureRun(desktop: DesktopApp): Promise<void> {
  await watchLoop(desktop);
  await pause(restMs);
  const floor = await readLoop(desktop);
  await watchLoop(desktop);
  const begin = performance.now();
  await desktop.window.evaluate(async () => {
    const { call } = (
      window as unknown as {
        stepwright: {
          call(name: string, input: unknown): Promise<{ value: { name: string; dagRunId: string } }>;
        };
      }
    ).stepwright;
    const { value: run } = await call('dags.start', { fileName: 'wide' });
    for (;;) {
      const { value } = (await call('runs.listOf', { name: run.name, limit: 1 })) as unknown as {
        value: { dagRuns: { status: string }[] };
      };
      if (!['running', 'not_started', 'queued'].includes(value.dagRuns[0]!.status)) return;
      // Infrequent enough not to add load.
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  });
  const seconds = (performance.now() - begin) / 1000;
  const busy = await readLoop(desktop);
  print(`a run of ${stepCount} steps took ${seconds.toFixed(1)} s`);
  print('main process, ms between ticks of 1 ms   p50    p99    max');
  for (const [name, { p50, p99, max }] of [
    ['at rest (floor)', floor],
    ['during the run', busy],
  ] as const)
    print(
      `${name.padEnd(38)} ${p50.toFixed(1).padStart(5)} ${p99.toFixed(1).padStart(6)} ${max.toFixed(1).padStart(6)}`,
    );
}

async function measureClosing(desktop: DesktopApp): Promise<void> {
  const before = [await countStreams(desktop), await readMemory(desktop)] as const;
  await desktop.app.evaluate(
    ({ BrowserWindow }) => void setImmediate(() => BrowserWindow.getAllWindows()[0]?.close()),
  );
  await pause(restMs);
  const after = [await countStreams(desktop), await readMemory(desktop)] as const;
  print(
    `window closed: streams ${before[0]} to ${after[0]}, main process ${megabytes(before[1])} to ${megabytes(after[1])} MB`,
  );
}

/** CPU seconds of a process and its descendants. Linux only: other systems have no `/proc`. */
function readProcessorTime(processId: number): number {
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
  // After the name, which may contain any character (proc_pid_stat(5)): the state, ten more fields, then both
  // times in ticks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const children = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8')
    .split(' ')
    .filter((word) => word !== '');
  const below = children.reduce((sum, child) => sum + readProcessorTime(Number(child)), 0);
  return (Number(fields[11]) + Number(fields[12])) / 100 + below;
}

/**
 * With the window closed; the stand-in's browser, which real Electron does not have then, is counted
 * separately.
 */
async function measureTray({ app, processId }: DesktopApp): Promise<void> {
  if (process.platform !== 'linux') return;
  const readMain = (): Promise<number> =>
    app.evaluate(() => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000_000;
    });
  const before = [await readMain(), readProcessorTime(processId)] as const;
  await pause(traySeconds * 1000);
  const after = [await readMain(), readProcessorTime(processId)] as const;
  const share = (index: 0 | 1): number => ((after[index] - before[index]) / traySeconds) * 100;
  const percent = (index: 0 | 1): string => share(index).toFixed(2);
  reportMetric({ what: 'main process CPU in the tray', figure: share(0), unit: '% of a core', budget: 0.5 });
  print(
    `in the tray for ${traySeconds} s: main process ${percent(0)} % of a core (goal 0.5), all processes ${percent(1)} %`,
  );
}

const testHome = new TestHome();
try {
  print(`load average ${loadavg()[0]!.toFixed(1)}`);
  await measureStarts(testHome);
  const steps = Array.from(
    { length: stepCount },
    (_, index) => `  - { name: s${index}, command: [/bin/true] }`,
  );
  testHome.saveWorkflow('wide', `type: graph\nmaxActiveSteps: 8\nsteps:\n${steps.join('\n')}\n`);
  const desktop = await launchApp({ home: testHome.home });
  try {
    await new WebUi(desktop.window).waitUntilLoaded();
    await measureRun(desktop);
    await measureClosing(desktop);
    await measureTray(desktop);
  } finally {
    await desktop.close();
  }
} finally {
  testHome.remove();
}
