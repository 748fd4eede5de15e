import { expect, test, vi } from 'vitest';
import { dryRunLines } from '../../../core/cli/dry-run-report.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { dryRun } from '../run/run-harness.ts';
import { openMemoryChannel } from '../../harness/home-and-command.ts';

const show = async (...options: Parameters<typeof dryRun>): Promise<string> =>
  dryRunLines(openMemoryChannel(), await dryRun(...options)).join('\n');

test('prints a plan from values through waves to handlers', async () => {
  vi.stubEnv('DRY_KEY', 'hunter22');
  const folder = makeTemporaryFolder();
  const text = await show(`
type: graph
name: etl
workingDir: ${folder}
logDir: ${folder}
params: [{ DATE: "\`date\`" }, { REGION: north }]
env: [{ ROOT: "/srv/\${REGION}" }, { NONE: "" }]
secrets: [{ name: TOKEN, provider: env, key: DRY_KEY }]
preconditions: ["test -f x"]
timeoutSec: 60
steps:
  - { name: first, command: 'get "$TOKEN" $ROOT', output: ROWS, retryPolicy: { limit: 2, intervalSec: 5 } }
  - name: left
    script: |
      if true
          echo "$DATE"
    depends: first
  - name: right
    command: [show, "\${ROWS}", "it's", ""]
    depends: first
    dir: sub
    env: [{ A: "\${REGION}" }]
    preconditions: [{ condition: "\${REGION}", expected: south, negate: true }]
handlerOn: { exit: bye }`);
  vi.unstubAllEnvs();
  expect(text.replaceAll(folder, '/here')).toBe(`Workflow     etl
Params       DATE   = \`date\`  known only at run time
             REGION = north
Env          ROOT = /srv/north
             NONE = (empty)
Secrets      TOKEN = *******  env DRY_KEY
Folder       /here
Logs         /here/etl  created by the run
Condition    test -f x succeeds  not evaluated
Rules        Timeout: 60 s.

Wave 1
  first
    command      get "$TOKEN" $ROOT
    with         ROOT  = /srv/north
                 TOKEN = *******
    shell        sh
    output       saved as ROWS
    rules        Retried on failure, up to 2 times, every 5 s.

Wave 2: 2 steps that can run in parallel
  left  after first
    script       if true
                     echo "$DATE"
    with         DATE = \`date\`  known only at run time
    shell        sh

  right  after first
    program      show '\${ROWS}' 'it'\\''s' ''
    env          A = north
    folder       /here/sub  created by the run
    condition    \${REGION}, which is north, is not "south"  not evaluated

Handlers
  onExit  on exit
    command      bye
    shell        sh

✔ Dry run: no problems found.
  Commands in backticks were not run. Run them with --run-substitutions.`);
});

test('prints sub-workflows under their step, once for items and repeats', async () => {
  const text = await show(`
name: top
steps:
  - { name: each, run: leaf, parallel: [a, b], params: "V=\${ITEM}" }
  - { name: again, run: leaf, params: V=a }
---
name: leaf
params: [{ V: x }]
steps: [{ name: show, command: [show, "\${V}"] }]`);
  const lines = text.split('\n').map((line) => line.trim());
  expect(lines.filter((line) => line.startsWith('program'))).toEqual(['program      show a']);
  expect(lines).toContain('for each     2 items, at most 10 in parallel');
  expect(lines).toContain('b  V = b');
  expect(lines).toContain('Run of the first item:');
  expect(lines).toContain('same as for each');
  expect(text).not.toContain('\n\n\n');
});

test('prints findings and the verdict last, with locations', async () => {
  const text = await show(`
name: top
steps: [{ name: load, run: child }, { name: a, command: [x, "\${UNSET}"] }]
---
name: child
secrets: [{ name: T, provider: env, key: NOT_THERE }]
steps: [echo]`);
  expect(text).toMatch(
    /\n✖ error top > load > child, secrets\.T: secret T .* is not set;.*\n▲ warning top, step a, argv: .*\n\n✖ Dry run: the run would fail \(1 error\)\.$/,
  );
});

test('does not let a workflow move the cursor', async () => {
  const text = await show(
    'params: [{ A: "\\e[2J\\e]0;x\\a" }]\nsteps: [{ name: a, command: "echo \\e[2J\\n\\e[1A" }]',
  );
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/);
});
