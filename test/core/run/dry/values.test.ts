import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { dryRun, findingLines, planOf, dryStepOf } from '../run-harness.ts';

describe('dry run resolves', () => {
  test('no values that multiply beyond the limit', async () => {
    const levels = Array.from({ length: 8 }, (_, level) => {
      const value = level === 0 ? 'x'.repeat(10) : `\${L${level - 1}}`.repeat(10);
      return `  - L${level}: "${value}"\n`;
    }).join('');
    const message = expect.stringContaining('The value of "L7" has more than 16777216 characters');
    await expect(dryRun(`params:\n${levels}steps: ["true"]`)).rejects.toMatchObject({
      code: 'bad_request',
      message,
    });
    await expect(dryRun(`env:\n${levels}steps: ["true"]`)).rejects.toMatchObject({
      code: 'bad_request',
      message,
    });
  });

  test('parameters, env in order and directories', async () => {
    const view = await dryRun(
      `
params: one REGION=north
env:
  - ROOT: /srv/\${REGION}
  - FILE: \${ROOT}/\${1}.csv
workingDir: \${ROOT}/jobs
logDir: \${ROOT}/logs
name: etl
steps: [{ name: a, command: "true", dir: sub, env: [{ COPY: "\${FILE}.bak" }] }]`,
      { params: 'two REGION=south' },
    );
    expect(planOf(view)).toMatchObject({
      params: [
        { name: '1', value: 'two' },
        { name: 'REGION', value: 'south' },
      ],
      env: [
        { name: 'ROOT', value: '/srv/south' },
        { name: 'FILE', value: '/srv/south/two.csv' },
      ],
      workingDir: { value: '/srv/south/jobs', exists: false },
      logDir: { value: '/srv/south/logs/etl', exists: false },
    });
    expect(dryStepOf(view, 'a')).toMatchObject({
      dir: { value: '/srv/south/jobs/sub', exists: false },
      env: [{ name: 'COPY', value: '/srv/south/two.csv.bak' }],
      unresolved: [],
    });
    expect(view).toMatchObject({ name: 'etl', runnable: true, findings: [] });
  });

  test('the dotenv file, and names it', async () => {
    const folder = makeTemporaryFolder();
    writeFileSync(path.join(folder, '.env'), 'A=1\nB=${A}2\n');
    const view = await dryRun(`workingDir: ${folder}\nsteps: [{ name: a, command: echo $B }]`);
    const variables = [
      { name: 'A', value: '1' },
      { name: 'B', value: '12' },
    ];
    expect(planOf(view).dotenv).toEqual({ file: path.join(folder, '.env'), variables });
    expect(dryStepOf(view, 'a').variables).toEqual([{ name: 'B', value: '12' }]);
  });

  test('secrets, without showing their values', async () => {
    vi.stubEnv('DRY_KEY', 'hunter-twenty-two');
    const view = await dryRun(
      `
params: [{ URL: "https://x?t=hunter-twenty-two" }]
secrets: [{ name: TOKEN, provider: env, key: DRY_KEY }]
steps:
  - { name: a, command: 'curl -H "$TOKEN" "$URL"', env: [{ AUTH: "Bearer \${TOKEN}" }] }
  - { name: b, command: [curl, "\${TOKEN}"], preconditions: [{ condition: "\${TOKEN}", expected: x }] }`,
    );
    vi.unstubAllEnvs();
    expect(planOf(view).secrets).toEqual([{ name: 'TOKEN', provider: 'env', key: 'DRY_KEY', found: true }]);
    expect(dryStepOf(view, 'a')).toMatchObject({
      env: [{ name: 'AUTH', value: 'Bearer *******' }],
      variables: [
        { name: 'TOKEN', value: '*******' },
        { name: 'URL', value: 'https://x?t=*******' },
      ],
    });
    expect(JSON.stringify(view)).not.toContain('hunter');
    expect(view.runnable).toBe(true);
  });

  test('nothing in shell text: it stays, with the values it refers to', async () => {
    const view = await dryRun(`
params: [{ DATE: 2026-01-02 }, { CONFIG: '{"host":"db1"}' }]
steps:
  - { name: shell, command: 'get "$DATE" \${CONFIG.host} $OTHER' }
  - name: python
    script: |
      #!/usr/bin/env python3
      print(__import__("os").environ["DATE"])
  - { name: argv, command: [get, "\${DATE}", "\${CONFIG.host}"] }`);
    expect(dryStepOf(view, 'shell')).toMatchObject({
      action: { kind: 'command', text: 'get "$DATE" ${CONFIG.host} $OTHER', shell: [{ value: 'sh' }] },
      variables: [
        { name: 'DATE', value: '2026-01-02' },
        { name: 'CONFIG', value: '{"host":"db1"}' },
        { name: 'CONFIG.host', value: 'db1' },
      ],
    });
    expect(dryStepOf(view, 'python')).toMatchObject({
      action: { kind: 'script', shell: [{ value: '/usr/bin/env' }, { value: 'python3' }] },
      variables: [{ name: 'DATE', value: '2026-01-02' }],
    });
    expect(dryStepOf(view, 'argv').action).toEqual({
      kind: 'argv',
      argv: [{ value: 'get' }, { value: '2026-01-02' }, { value: 'db1' }],
    });
  });
});

describe('runtime values stay as written', () => {
  test('outputs, properties of steps, ITEM and what depends on them', async () => {
    const view = await dryRun(`
steps:
  - { name: a, id: first, command: echo 1, output: ROWS }
  - name: b
    command: [show, "\${ROWS}", "\${ROWS:-none}", "\${ROWS.n}", "\${first.stdout}", "\${DAG_RUN_ID}", "\${COPY:0:2}"]
    env: [{ COPY: "x-\${ROWS}" }]
  - { name: c, command: [show, "\${ITEM}"], parallel: "\${ROWS}" }`);
    const step = dryStepOf(view, 'b');
    const written = [
      '${ROWS}',
      '${ROWS:-none}',
      '${ROWS.n}',
      '${first.stdout}',
      '${DAG_RUN_ID}',
      '${COPY:0:2}',
    ];
    expect(step.action).toEqual({
      kind: 'argv',
      argv: [{ value: 'show' }, ...written.map((value) => ({ value, unresolved: [value] }))],
    });
    expect(step.env).toEqual([{ name: 'COPY', value: 'x-${ROWS}', unresolved: ['${ROWS}'] }]);
    expect(new Set(step.unresolved)).toEqual(new Set(written));
    expect(dryStepOf(view, 'c').parallel).toEqual({
      maxConcurrent: 10,
      expression: { value: '${ROWS}', unresolved: ['${ROWS}'] },
    });
  });

  test('an output is not visible to independent steps', async () => {
    const view = await dryRun(`
type: graph
steps:
  - { name: a, command: echo 1, output: ROWS }
  - { name: b, command: [show, "\${ROWS:-none}"] }
  - { name: c, command: [show, "\${ROWS:-none}"], depends: a }`);
    expect(dryStepOf(view, 'b').action).toMatchObject({ argv: [{}, { value: 'none' }] });
    expect(dryStepOf(view, 'c').action).toMatchObject({ argv: [{}, { value: '${ROWS:-none}' }] });
  });

  const marked = `
params: [{ DAY: "\`touch made && printf 2026\`" }]
env: [{ FILE: "\${DAY}.csv" }]
steps:
  - { name: a, command: [show, "\${FILE}", "\`echo \${FILE}\`"] }
  - { name: b, command: [show, "\`echo $ROWS\`"], env: [{ ROWS: "\${DAY:0:2}" }] }`;

  test('commands in backticks, which are not run', async () => {
    const folder = makeTemporaryFolder();
    const file = path.join(folder, 'etl.yaml');
    writeFileSync(file, marked);
    const view = await dryRun('', { source: { file } });
    const command = '`touch made && printf 2026`';
    expect(planOf(view).params).toEqual([{ name: 'DAY', value: command, unresolved: [command] }]);
    expect(planOf(view).env).toEqual([{ name: 'FILE', value: `${command}.csv`, unresolved: [command] }]);
    expect(dryStepOf(view, 'a').action).toMatchObject({
      argv: [{}, { value: `${command}.csv` }, { value: '`echo ${FILE}`', unresolved: ['`echo ${FILE}`'] }],
    });
    expect(existsSync(path.join(folder, 'made'))).toBe(false);
  });

  test('unless requested', async () => {
    const folder = makeTemporaryFolder();
    const file = path.join(folder, 'etl.yaml');
    writeFileSync(file, marked);
    const view = await dryRun('', { source: { file }, runSubstitutions: true });
    expect(view.ranSubstitutions).toBe(true);
    expect(planOf(view).params).toEqual([{ name: 'DAY', value: '2026' }]);
    expect(dryStepOf(view, 'a').action).toMatchObject({
      argv: [{}, { value: '2026.csv' }, { value: '2026.csv' }],
    });
    expect(dryStepOf(view, 'b').action).toMatchObject({ argv: [{}, { value: '20' }] });
    expect(existsSync(path.join(folder, 'made'))).toBe(true);
  });

  test('not even then, when a command needs a value that is unknown so far', async () => {
    const folder = makeTemporaryFolder();
    const spec = `
workingDir: ${folder}
steps:
  - { name: a, command: echo 1, output: ROWS }
  - { name: b, command: [show, "\`touch ${folder}/made; echo $ROWS\`"] }`;
    const view = await dryRun(spec, { runSubstitutions: true });
    expect(dryStepOf(view, 'b').unresolved).toHaveLength(1);
    expect(existsSync(path.join(folder, 'made'))).toBe(false);
  });
});

test('treats lookalikes of references in parameter values as data', async () => {
  const view = await dryRun('params: [{ A: x }]\nsteps: [{ name: a, command: [show, "${A}"] }]', {
    params: ['A=${B} `touch x`'],
  });
  expect(dryStepOf(view, 'a').action).toMatchObject({ argv: [{}, { value: '${B} `touch x`' }] });
  expect(dryStepOf(view, 'a').unresolved).toEqual([]);
});

test('reports unavailable values as findings with location, and resolves the rest', async () => {
  const folder = makeTemporaryFolder();
  writeFileSync(path.join(folder, 'file'), '');
  mkdirSync(path.join(folder, 'a.env'));
  const view = await dryRun(`
name: etl
workingDir: ${folder}/file
dotenv: ${folder}/a.env
params: { schema: { type: object, properties: { N: { type: integer } } }, values: { N: many } }
secrets: [{ name: TOKEN, provider: env, key: NOT_THERE }]
steps:
  - { name: a, command: [show, "\${UNSET}", "\${TOKEN}"] }
  - { name: c, run: nowhere }
  - { name: d, command: x, dir: ${folder}/file/deeper }
  - { name: e, command: x, retryPolicy: { limit: "\${N}", intervalSec: 1 } }
  - { name: f, command: x, parallel: "\${NOTHING:-}" }`);
  expect(view.runnable).toBe(false);
  // A run would not create what cannot be created.
  expect(view.plans[0]!.workingDir).not.toHaveProperty('exists');
  const lines = findingLines(view);
  expect(lines).toEqual([
    expect.stringMatching(
      /^error etl \/ params: parameter validation failed: "N" must be a whole number \(got many\)/,
    ),
    expect.stringMatching(/does not exist and cannot be created: a file with this name already exists/),
    expect.stringMatching(/error etl \/ dotenv: Dotenv file.*a\.env is not a file/),
    expect.stringMatching(/^error etl \/ secrets\.TOKEN: secret TOKEN .* the variable NOT_THERE is not set/),
    expect.stringMatching(
      /^error etl \/ c \/ dag: Cannot load sub-workflow "nowhere": Workflow "nowhere" not found in this file or the workflow folder, and there is no file \/.*\/nowhere\./,
    ),
    expect.stringMatching(/^error etl \/ d \/ dir: Working directory/),
    expect.stringMatching(/^error etl \/ f \/ parallel: parallel has no items/),
    expect.stringMatching(
      /^warning etl \/ a \/ argv: \$\{UNSET\} is empty: UNSET is not set\. Set it, or add a default: \$\{UNSET:-…\}\./,
    ),
    expect.stringMatching(
      /^warning etl \/ e \/ retryPolicy: retryPolicy\.limit: "many" is "many", which is not a whole number of 0 or more, so failures are not retried/,
    ),
  ]);
  expect(dryStepOf(view, 'a').action).toMatchObject({ argv: [{}, { value: '' }, { value: '${TOKEN}' }] });
});

test('a failing command in backticks is a finding', async () => {
  const view = await dryRun('name: etl\nenv: [{ A: "`exit 4`" }]\nsteps: ["true"]', {
    runSubstitutions: true,
  });
  expect(findingLines(view)).toEqual(['error etl / env: Command `exit 4` failed: exit code 4']);
});

test('env that refers to parameters, known after a first pass, is not a finding', async () => {
  const view = await dryRun(`
params: [{ REGION: north }, { DAY: "\`date\`" }]
env: [{ ROOT: "/\${REGION}/\${DAY}" }]
steps: [{ name: a, command: [show, "\${ROOT}"] }]`);
  expect(view.findings).toEqual([]);
  expect(planOf(view).env).toEqual([{ name: 'ROOT', value: '/north/`date`', unresolved: ['`date`'] }]);
});
