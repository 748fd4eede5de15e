/**
 * A server without a window: time from process start to the first response, compared with a bare Node, and
 * its memory when idle and while 100 steps run. Needs a build. `node test/bench/headless-server.ts [starts]`
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { startServer, type EngineServer, TestHome } from '../e2e/rig/test-home.ts';
import { reportMetric } from './rig/figures.ts';

const starts = Number(process.argv[2] ?? 10);
const stepCount = 100;
/** After this, an idle server has collected the garbage of its start. */
const settleMs = 5000;
const budgets = { startMs: 500, idleMb: 120, busyMb: 200 };
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const middle = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1]!;

async function measureStarts(home: string): Promise<void> {
  const bare: number[] = [];
  const whole: number[] = [];
  // The first start creates the home.
  for (let turn = 0; turn <= starts; turn += 1) {
    let started = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    if (turn > 0) bare.push(performance.now() - started);
    started = performance.now();
    const server = await startServer(home);
    await (await fetch(`${server.url}/api/v2/health`)).arrayBuffer();
    if (turn > 0) whole.push(performance.now() - started);
    await server.stop();
  }
  const [floor, figure] = [middle(bare), middle(whole)];
  print(`first answer after ${figure.toFixed(0)} ms, a bare Node ends after ${floor.toFixed(0)} ms`);
  reportMetric({
    what: 'server, time to first response',
    floor,
    figure,
    unit: 'ms',
    budget: budgets.startMs,
  });
}

/** Resident memory in MB. Linux only: other systems have no `/proc`. */
const readMemory = ({ pid }: EngineServer): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

interface Run {
  readonly steps: readonly { readonly status: string }[];
}

async function startSteps({ url }: EngineServer): Promise<void> {
  const api = `${url}/api/v2`;
  const headers = { 'content-type': 'application/json' };
  const started = await fetch(`${api}/dags/busy/start`, { method: 'POST', headers, body: '{}' });
  const { dagRunId } = (await started.json()) as { dagRunId: string };
  for (;;) {
    const { steps } = (await (await fetch(`${api}/dag-runs/busy/${dagRunId}`)).json()) as Run;
    if (steps.filter(({ status }) => status === 'running').length === stepCount) return;
    await pause(100);
  }
}

const testHome = new TestHome();
const steps = Array.from({ length: stepCount }, (_, index) => `  - { name: s${index}, command: sleep 600 }`);
testHome.saveWorkflow('busy', `type: graph\nsteps:\n${steps.join('\n')}\n`);
try {
  print(`load average ${loadavg()[0]!.toFixed(1)}`);
  await measureStarts(testHome.home);
  const server = await startServer(testHome.home);
  await pause(settleMs);
  const idle = readMemory(server);
  await startSteps(server);
  const busy = readMemory(server);
  await server.stop();
  print(`memory: idle ${idle.toFixed(0)} MB, with ${stepCount} steps that run ${busy.toFixed(0)} MB`);
  reportMetric({ what: 'server, idle', figure: idle, unit: 'MB', budget: budgets.idleMb });
  reportMetric({
    what: `server, ${stepCount} steps running`,
    figure: busy,
    unit: 'MB',
    budget: budgets.busyMb,
  });
} finally {
  testHome.remove();
}
