/**
 * Cost of the store on SQLite and on a local PostgreSQL server: each operation blocks the event loop, so its
 * time is the loop's stall. Both write to disk (`fsync`) at each commit. `node test/bench/store-kinds.ts
 * [rounds]`
 */
import { oneByOne } from '../harness/resources.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../core/store/open-store.ts';
import { TestPostgres, missingForPostgres, postgresVersions } from '../harness/servers/postgres.ts';

const rounds = Number(process.argv[2] ?? 1000);
const owner = { host: 'here', pid: 1, pidStart: '1', bootId: 'boot' };
let runs = 0;

const createRun = (store: Store) =>
  store.createRun(
    {
      name: 'bench',
      dagRunId: `${(runs += 1)}`,
      spec: { text: 'steps: []', document: 0 },
      trigger: 'cli',
      params: [],
      maxActiveRuns: -1,
      owner,
    },
    runs,
  );

/** One attempt of a step, as the recorder writes it: started and finished. */
const listEvents = (step: number) => {
  const node = { section: 'step', name: `step-${step}` } as const;
  return [
    { at: step, event: { type: 'step.started', node, attempt: 1, dir: 'd' } as const },
    {
      at: step,
      event: { type: 'step.finished', node, attempt: 1, status: 'succeeded', exitCode: 0 } as const,
    },
  ];
};

async function measure(name: string, operation: (round: number) => unknown, times = rounds): Promise<void> {
  for (let round = 0; round < 20; round += 1) await operation(-round - 1);
  const taken: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const before = performance.now();
    await operation(round);
    taken.push(performance.now() - before);
  }
  taken.sort((left, right) => left - right);
  const at = (share: number): string => taken[Math.floor(taken.length * share)]!.toFixed(3);
  const total = taken.reduce((sum, each) => sum + each, 0);
  console.log(
    `  ${name.padEnd(38)} ${Math.round((times * 1000) / total)
      .toString()
      .padStart(8)}/s   p50 ${at(0.5)} ms   p99 ${at(0.99)} ms`,
  );
}

async function measureAll(name: string, store: Store): Promise<void> {
  console.log(name);
  const run = await createRun(store);
  const others = await oneByOne(Array.from({ length: 20 }), () => createRun(store));
  for (const { key, epoch } of [run, ...others])
    await store.append([
      { runKey: key, epoch, events: [{ at: 1, event: { type: 'run.started', logDir: 'l' } }] },
    ]);
  await measure('a heartbeat (one row)', (round) => store.beat(owner, round));
  await measure(
    'two events of a step',
    async (round) =>
      (await store.append([{ runKey: run.key, epoch: run.epoch, events: listEvents(round) }])).outcomes,
  );
  await measure(
    'the same of 20 runs in one commit',
    async (round) =>
      (
        await store.append(
          others.map(({ key, epoch }) => ({ runKey: key, epoch, events: listEvents(round) })),
        )
      ).outcomes,
    rounds / 5,
  );
  await measure('a new run', () => createRun(store));
  await measure('a run by its id', () => store.findRun(run));
  await measure('a page of 50 runs', () => store.listRuns({ limit: 50, topLevelOnly: true }));
  await measure('check for writes of others', () => store.dataVersion());
  store.close();
}

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
await measureAll('SQLite', openStore({ file: join(folder, 'engine.db') }));
rmSync(folder, { recursive: true });
for (const version of postgresVersions) {
  if (missingForPostgres(version) !== undefined) continue;
  const server = await TestPostgres.start(version, ['fsync=on']);
  try {
    await measureAll(`PostgreSQL ${version}`, openStore({ url: server.url }));
  } finally {
    await server.close();
  }
}
