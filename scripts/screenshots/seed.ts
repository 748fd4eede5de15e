import { type Engine, until, type Program, runProgram, startProgram } from './engine.ts';
import type { SampleRuns } from './scenes.ts';

/** Number of log lines to wait for, so that the run is well under way in the screenshot. */
const linesShown = 8;
/** Slow enough to capture the active run in both themes and all sizes. */
const livePace = '2';

/**
 * Workflows in addition to the samples: they fill the calendar and a queue, and give a worker something to do.
 */
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
    command: sleep 3600; echo "38 invoices sent"
`,
  'deploy-shop': `description: Put what was pushed to the main branch into the shop
tags: operations
on: { webhook: { receiver: forge, event: push, branches: [main] } }
steps:
  - name: deploy
    command: echo "the shop is up to date"
`,
  thumbnails: `description: Make small pictures of those that were handed in, and keep them
tags: catalogue
steps:
  - name: resize
    parallel:
      items: [door.jpg, chair.jpg, lamp.jpg, table.jpg, vase.jpg]
      maxConcurrent: 2
    command: '[ "$ITEM" = vase.jpg ] && { echo "vase.jpg is no picture" >&2; exit 4; }; echo "$ITEM is smaller"'
    continueOn: failed
  - name: sheet
    command: mkdir -p pages; head -c 184320 /dev/zero > contact-sheet.pdf; echo front > pages/1.html; echo back > pages/2.html
    outputFiles: [contact-sheet.pdf, "pages/*.html"]
`,
  'release-shop': `description: Build the shop, ask, and put it into production
tags: operations
params: VERSION=2.4.1
steps:
  - name: build
    command: echo "212 tests pass, 0 fail"; echo "the bundle is 1.4 MB, 12 kB less than before"
    output: REPORT
  - name: ask
    type: approval
    config:
      question: Release \${VERSION} to production?
      details: \${REPORT}
      inputs: [TICKET, REASON]
      required: [TICKET]
    timeoutSec: 86400
    output: ANSWER
  - name: release
    command: echo "released for \${ANSWER.inputs.TICKET}"
  - name: tell
    command: echo "the team knows"
`,
  'clear-archive': `description: Throw away what is older than ten years
tags: finance
steps:
  - name: ask
    type: approval
    config:
      question: Delete 38 folders of the archive?
`,
  'train-model': `description: Learn from last week's orders what the next ones will be
tags: forecast
steps:
  - name: train
    workerSelector: { gpu: "true" }
    command: echo "epoch 1 of 20"; sleep 3600
`,
};

/** An invalid file, with unknown fields and a dependency on an unknown step. */
export const invalidWorkflow = `description: Misspelt, so that there is something to correct
steps:
  - name: one
    comand: echo hello
  - name: two
    depends: three
    command: "true"
`;

/** Creates runs of every kind: one is active, and some are queued behind another. */
export async function seed(engine: Engine): Promise<SampleRuns> {
  for (const [name, spec] of Object.entries(furnishings)) await engine.create(name, spec);
  await engine.addWebhook();
  const cached = await engine.runToEnd('warm-cache', '');
  for (let turn = 0; turn < 2; turn += 1) await engine.enqueue('invoice-mails');
  const waiting = await engine.enqueue('invoice-mails');
  const withFiles = await engine.runToEnd('thumbnails', '');
  const succeeded = await engine.runToEnd('sales-etl', 'PACE=0');
  const failed = await engine.runToEnd('nightly-backup', 'FAIL=yes OUTAGES=0');
  const parent = await engine.runToEnd('monthly-summary', '');
  const training = await engine.start('train-model', '');
  const approved = await engine.start('release-shop', 'VERSION=2.4.0');
  await engine.answer(approved, {
    decision: 'approved',
    comment: 'The numbers look good. Go ahead.',
    values: { TICKET: 'OPS-1871' },
  });
  const rejected = await engine.start('clear-archive', '');
  await engine.answer(rejected, { decision: 'rejected', comment: 'Not before the audit.' });
  for (const run of [approved, rejected]) await engine.waitForEnd(run);
  const asking = await engine.start('release-shop', '');
  await engine.start('clear-archive', '');
  const live = await engine.start('sales-etl', `PACE=${livePace}`);
  await until(async () => (await engine.countLogLines(live, 'split north')) >= linesShown);
  return { approved, asking, cached, succeeded, failed, parent, withFiles, waiting, training, live };
}

/** Starts a coordinator and two workers that join it. @returns the processes, the coordinator last */
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
        // One has a step that takes an hour.
        ...['--drain-timeout', '1s'],
      ]),
    );
  return [...workers, coordinator];
}

/** A sample schema: two tables with a foreign key, a domain with conversions, and a function. */
const shop = `
CREATE DOMAIN app_uuid AS uuid;
CREATE FUNCTION app_uuid_to_json(app_uuid) RETURNS json LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT to_json(encode(decode(replace($1::text, '-', ''), 'hex'), 'base64')) $$;
CREATE CAST (app_uuid AS json) WITH FUNCTION app_uuid_to_json(app_uuid) AS IMPLICIT;
CREATE FUNCTION app_uuid_from_text(text) RETURNS app_uuid LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT encode(decode($1, 'base64'), 'hex')::uuid $$;
CREATE CAST (text AS app_uuid) WITH FUNCTION app_uuid_from_text(text) AS IMPLICIT;
CREATE TABLE clients (id app_uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL);
COMMENT ON TABLE clients IS 'Who has ordered at least once';
CREATE TABLE orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client app_uuid NOT NULL REFERENCES clients,
  placed timestamptz NOT NULL DEFAULT now(),
  total numeric(10, 2) NOT NULL CHECK (total >= 0)
);
CREATE VIEW turnover AS SELECT client, sum(total) AS total FROM orders GROUP BY client;
CREATE FUNCTION largest_order(since timestamptz) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT max(total) FROM orders WHERE placed >= since $$;
INSERT INTO clients (name) VALUES ('Ann'), ('Omar');
NOTIFY stepwright, 'reload schema';
`;

/** Creates sample data in the gateway's open database. */
export const seedGateway = (home: string): Promise<void> =>
  runProgram(home, ['gateway', 'psql', '--engine-home', home], shop);
