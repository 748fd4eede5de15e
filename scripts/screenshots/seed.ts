import type { Engine } from './engine.ts';
import { until } from './engine.ts';
import { type Program, startProgram } from './programs.ts';
import type { Cast } from './scenes.ts';

/** Log lines that a picture of a run shows, so that it is taken while the run is well under way. */
const linesShown = 8;
/** Slow enough for the pictures of the run under way, in both themes and sizes. */
const livePace = '2';

/** Beside the samples: what fills the calendar and a queue, and what a worker does. */
const furnishings: Readonly<Record<string, string>> = {
  'warm-cache': `description: Keep the cache of the shop warm
tags: operations
schedule: "0 8-18/2 * * 1-5"
steps:
  - name: warm
    command: echo "412 pages are warm"
`,
  'invoice-mails': `description: Send the invoices of the day
tags: finance
schedule: "30 17 * * 1-5"
queue: mail
steps:
  - name: send
    command: sleep 600; echo "38 invoices sent"
`,
  'deploy-shop': `description: Put what was pushed to the main branch into the shop
tags: operations
on: { webhook: { receiver: forge, event: push, branches: [main] } }
steps:
  - name: deploy
    command: echo "the shop is up to date"
`,
  'train-model': `description: Learn from last week's orders what the next ones will be
tags: forecast
steps:
  - name: train
    workerSelector: { gpu: "true" }
    command: echo "epoch 1 of 20"; sleep 600
`,
};

/** Runs of every kind, one of which goes on, and some that wait behind another. */
export async function seed(engine: Engine): Promise<Cast> {
  for (const [name, spec] of Object.entries(furnishings)) await engine.create(name, spec);
  await engine.addWebhook();
  const cached = await engine.runToEnd('warm-cache', '');
  for (let turn = 0; turn < 3; turn += 1) await engine.enqueue('invoice-mails');
  const succeeded = await engine.runToEnd('sales-etl', 'PACE=0');
  const failed = await engine.runToEnd('nightly-backup', 'FAIL=yes OUTAGES=0');
  const parent = await engine.runToEnd('monthly-summary', '');
  await engine.start('train-model', '');
  const live = await engine.start('sales-etl', `PACE=${livePace}`);
  await until(async () => (await engine.countLogLines(live, 'split north')) >= linesShown);
  return { cached, succeeded, failed, parent, live };
}

/** A coordinator, and two workers that have joined it. @returns the programs, the coordinator last */
export async function startWorkers(engine: Engine, home: string): Promise<readonly Program[]> {
  const coordinator = await startProgram(home, ['coordinator', '--no-tls', '--port', '0']);
  const url = coordinator.line.split(' ').at(-1)!;
  const token = await engine.addJoinToken('machines of the rack');
  const workers: Program[] = [];
  for (const [id, labels] of [
    ['rack-1', 'gpu=true,zone=cellar'],
    ['rack-2', 'zone=attic'],
  ] as const)
    workers.push(
      await startProgram(home, [
        'worker',
        ...['--id', id, '--labels', labels, '--coordinator', url, '--token', token],
        ...['--engine-home', `${home}/${id}`],
      ]),
    );
  return [...workers, coordinator];
}
