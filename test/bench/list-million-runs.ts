/**
 * History pages and details over 1,000,000 runs, compared with the bare statements, and the cost of appending
 * events. Run: `node test/bench/list-million-runs.ts [runs]`. Needs about 1 GB in the temporary folder.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { RunEvent } from '../../core/model/run-event.ts';
import type { RunFilter, RunSearch, RunStore } from '../../core/store/types/runs.ts';
import { openStore } from '../../core/store/open-store.ts';
import { reportMetric } from './rig/figures.ts';
import { fillRuns } from './rig/fill-runs.ts';

const runCount = Number(process.argv[2] ?? 1_000_000);
const dagCount = 1000;
const folder = mkdtempSync(join(tmpdir(), 'stepwright-bench-'));
const file = join(folder, 'engine.db');

try {
  openStore({ file }).close();
  const seconds = fillRuns(file, runCount, dagCount);
  const size = Math.round(statSync(file).size / 1e6);
  console.log(`${runCount} runs of ${dagCount} workflows, ${size} MB, filled in ${seconds.toFixed(1)} s\n`);
  await measureOpening();
  const store = openStore({ file });
  await measureReads(store);
  await measureAppends(store);
  store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Calls `operation` repeatedly and prints its p50 and p99 in milliseconds. @returns the p50 */
async function time(label: string, rounds: number, operation: (round: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await clock(() => operation(round)));
  const first = times[0]!;
  times.sort((a, b) => a - b);
  const at = (share: number): string => times[Math.floor((times.length - 1) * share)]!.toFixed(3).padStart(8);
  console.log(
    `${label.padEnd(52)} p50 ${at(0.5)}  p99 ${at(0.99)}  first ${first.toFixed(3).padStart(8)} ms`,
  );
  return Number(at(0.5));
}

async function clock(operation: () => unknown): Promise<number> {
  const began = performance.now();
  await operation();
  return performance.now() - began;
}

async function measureOpening(): Promise<void> {
  await time('open an up-to-date file, and close it', 50, () => openStore({ file }).close());
}

async function measureReads(store: RunStore): Promise<void> {
  const name = 'workflow-7';
  const filters: Record<string, Omit<RunFilter, 'limit'>> = {
    'no filter': {},
    'top level only': { topLevelOnly: true },
    'one workflow': { name },
    'one workflow, top level only': { name, topLevelOnly: true },
    'one status': { statuses: ['failed'] },
    'a rare status (running)': { statuses: ['running'] },
    'an unused status (queued)': { statuses: ['queued'] },
    'three statuses, top level only': { statuses: ['failed', 'aborted', 'running'], topLevelOnly: true },
    'six statuses, one workflow': {
      statuses: ['failed', 'aborted', 'running', 'queued', 'not_started', 'partially_succeeded'],
      name,
    },
    'no filter, page in the middle': { before: Math.floor(runCount / 2) },
    'one status, page in the middle': { statuses: ['failed'], before: Math.floor(runCount / 2) },
  };
  const pages: number[] = [];
  for (const [label, filter] of Object.entries(filters))
    pages.push(await time(`newest 50: ${label}`, 500, () => store.listRuns({ ...filter, limit: 50 })));
  await measureSearches(store, name);
  const connection = new SqliteDatabase(file, { readonly: true });
  const bare = connection.prepare('SELECT * FROM run WHERE is_sub = 0 ORDER BY key DESC LIMIT 50');
  const floor = await time('  floor: one bare statement for 50 rows', 500, () => bare.all());
  const shared = { unit: 'ms', budget: 5 };
  reportMetric({
    what: `slowest page of ${runCount} runs, any filter`,
    floor,
    figure: Math.max(...pages),
    ...shared,
  });
  const detail = await makeRunWithSteps(store);
  const took = await time('one run with 20 steps, detail', 500, () => store.getDetail(detail));
  reportMetric({ what: `one of ${runCount} runs, with 20 steps`, figure: took, ...shared });
  await time('one run by its id, any', 500, (round) =>
    store.findRun({
      name: `workflow-${(Math.floor((round + 1) / 13) * 7919) % dagCount}`,
      dagRunId: `0198c0de-0000-7000-8000-${String(round + 1).padStart(12, '0')}`,
    }),
  );
  const bareRun = connection.prepare('SELECT * FROM run WHERE key = ?');
  await time('  floor: one bare statement for a row', 500, (round) => bareRun.get(round + 1));
  await time(`newest run of each of ${dagCount} workflows`, 50, () => store.latestRuns());
  await time('newest run of one workflow', 500, () => store.latestRun(name));
  await time('check for writes of other processes (foreignVersion)', 500, () => store.dataVersion());
  connection.close();
}

async function measureSearches(store: RunStore, name: string): Promise<void> {
  const middle = 1.7e12 + runCount / 2;
  const window = { createdFrom: middle - 1000, createdBefore: middle };
  const searches: Record<string, Omit<RunSearch, 'limit'>> = {
    'top level only': { topLevelOnly: true },
    'one workflow, failed': { name, statuses: ['failed'], topLevelOnly: true },
    'a second in the middle': { ...window, topLevelOnly: true },
    'the same, failed': { ...window, statuses: ['failed'], topLevelOnly: true },
    'the same, one workflow': { ...window, name, topLevelOnly: true },
    'until the middle, an unused status': { createdBefore: middle, statuses: ['queued'] },
    'part of one name': { nameContains: 'flow-77', topLevelOnly: true },
    'part of a hundred names': { nameContains: 'FLOW-7', topLevelOnly: true },
    'part of every name': { nameContains: 'flow', topLevelOnly: true },
    'part of no name': { nameContains: 'none', topLevelOnly: true },
    'an id, any name': { dagRunId: `0198c0de-0000-7000-8000-${String(77).padStart(12, '0')}` },
  };
  for (const [label, search] of Object.entries(searches)) {
    await time(`search 50: ${label}`, 200, () => store.searchRuns({ ...search, limit: 50 }));
  }
  await time('newest run of each of 50 workflows', 200, () =>
    store.latestRuns(Array.from({ length: 50 }, (_, index) => `workflow-${index}`)),
  );
}

/** A run with 20 steps of one attempt each. */
async function makeRunWithSteps(store: RunStore): Promise<{ name: string; dagRunId: string }> {
  const writer = await makeWriter(store);
  await writer.write(Array.from({ length: 20 }, (_, index) => runStep(index)).flat());
  return writer.run;
}

async function makeWriter(store: RunStore) {
  const run = await store.createRun(
    {
      name: 'bench',
      dagRunId: `bench-${await store.lastEventId()}`,
      spec: { text: 'steps: []', document: 0 },
      trigger: 'cli',
      params: [],
      maxActiveRuns: -1,
      owner: { host: 'here', pid: process.pid, pidStart: '1', bootId: 'boot' },
    },
    0,
  );
  const { epoch } = run;
  const write = async (events: readonly RunEvent[]): Promise<void> => {
    const [result] = (
      await store.append([{ runKey: run.key, epoch, events: events.map((event) => ({ at: 1, event })) }])
    ).outcomes;
    if (result?.outcome !== 'written') throw new Error(result?.reason);
  };
  await write([{ type: 'run.started', logDir: 'logs' }]);
  return { run, write };
}

/** The events of one step: started, its process, finished. */
function runStep(index: number): RunEvent[] {
  const node = { section: 'step', name: `step-${index}` } as const;
  return [
    { type: 'step.started', node, attempt: 1, dir: `step-${index}/1` },
    { type: 'step.spawned', node, attempt: 1, pid: 1000 + index, pidStart: '12345' },
    { type: 'step.finished', node, attempt: 1, status: 'succeeded', exitCode: 0 },
  ];
}

async function measureAppends(store: RunStore): Promise<void> {
  const writer = await makeWriter(store);
  const steps = Array.from({ length: 20_000 }, (_, index) => runStep(index));
  const commits = 1500;
  for (const step of steps.slice(0, commits)) await writer.write(step.slice(0, 2));
  await time('append: one step.finished, durable', commits, (round) => writer.write([steps[round]![2]!]));
  const taken = steps.slice(commits, commits + 10_000);
  const elapsed = await clock(async () => {
    for (let index = 0; index < taken.length; index += 33)
      await writer.write(taken.slice(index, index + 33).flat());
  });
  console.log(`append: 99 events a commit, ${Math.round((taken.length * 3) / (elapsed / 1000))} events/s`);
}
