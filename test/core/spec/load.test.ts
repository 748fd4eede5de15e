import { describe, expect, it } from 'vitest';
import type { Step } from '../../../core/model/step.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { readFixture } from '../../harness/workflow-texts.ts';

function loadOne(text: string, file?: string): Workflow {
  const { workflows, diagnostics } = loadSpec({ text, ...(file === undefined ? {} : { file }) });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return workflows[0]!;
}

function loadSteps(text: string): Step[] {
  return loadOne(text).steps;
}

function errorsOf(text: string, file?: string): string[] {
  const { workflows, diagnostics } = loadSpec({ text, ...(file === undefined ? {} : { file }) });
  expect(workflows).toEqual([]);
  return diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const wiring = (steps: readonly Step[]) => Object.fromEntries(steps.map((step) => [step.name, step.depends]));

describe('workflow name', () => {
  it.each([
    [undefined, 'dag'],
    ['-', 'dag'],
    ['etl.yaml', 'etl'],
    ['/srv/dags/etl.v2.yml', 'etl.v2'],
    ['C:\\dags\\Nightly.YAML', 'Nightly'],
  ])('comes from the file %s as %s', (file, name) => {
    expect(loadOne('steps: [echo a]', file).name).toBe(name);
  });

  it('is the explicit one when there is one', () => {
    expect(loadOne('name: own\nsteps: [echo a]', 'a file.yaml').name).toBe('own');
  });

  it('cannot come from a file with an invalid name', () => {
    expect(errorsOf('steps: [echo a]', 'my flow.yaml')[0]).toMatch(
      /1:1 The workflow name comes from the file name, but "my flow" can.*"name:"/,
    );
    expect(errorsOf('steps: [echo a]', `${'x'.repeat(41)}.yaml`)[0]).toMatch(
      /1:1 The workflow name comes from the file name, but "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" has 41 characters \(the limit is 40\)\./,
    );
  });
});

describe('wiring', () => {
  it('puts a chain in order, around groups', () => {
    expect(wiring(loadSteps('steps: [a, [b, c], d]'))).toEqual({
      cmd_1: [],
      cmd_2: ['cmd_1'],
      cmd_3: ['cmd_1'],
      cmd_4: ['cmd_2', 'cmd_3'],
    });
  });

  it('adds explicit dependencies to the chain, and cuts it at an empty list', () => {
    const text = `steps:
  - {name: a, command: a}
  - {name: b, command: b}
  - {name: c, command: c, depends: a}
  - {name: d, command: d, depends: []}
  - {name: e, command: e, depends: [b, b, d]}
`;
    expect(wiring(loadSteps(text))).toEqual({ a: [], b: ['a'], c: ['a', 'b'], d: [], e: ['b', 'd'] });
  });

  it('uses only explicit dependencies in a graph, with or without groups', () => {
    const text = 'type: graph\nsteps:\n- a\n- [b, c]\n- {name: last, command: d, depends: cmd_2}\n';
    expect(wiring(loadSteps(text))).toEqual({ cmd_1: [], cmd_2: [], cmd_3: [], last: ['cmd_2'] });
  });

  it('finds a step by its name first, then by its id', () => {
    const text =
      'type: graph\nsteps:\n- {name: long name, id: short, command: a}\n- {name: b, command: b, depends: short}';
    expect(wiring(loadSteps(text))['b']).toEqual(['long name']);
  });
});

describe('step names', () => {
  it('are generated from type and index', () => {
    const text = `steps:
  - echo a
  - script: echo b
  - run: sub
  - command: [echo, d]
  - |
    echo e
    echo f
`;
    expect(loadSteps(text).map(({ name }) => name)).toEqual([
      'cmd_1',
      'script_2',
      'dag_3',
      'cmd_4',
      'script_5',
    ]);
  });

  it('skip names that are in use', () => {
    const names = loadSteps('steps:\n- a\n- {name: cmd_1, command: b}\n').map(({ name }) => name);
    expect(names).toEqual(['cmd_3', 'cmd_1']);
  });

  it('can be of any length', () => {
    expect(loadSteps(`steps:\n- {name: ${'n'.repeat(300)}, command: a}`)[0]!.name).toHaveLength(300);
  });
});

describe('step action', () => {
  it.each([
    ['- echo a', { kind: 'command', command: 'echo a' }],
    ['- command: [ls, -l, 5, true]', { kind: 'argv', argv: ['ls', '-l', '5', 'true'] }],
    ['- command: |-\n    one\n    two', { kind: 'script', script: 'one\ntwo' }],
    ['- command: |\n    one\n', { kind: 'command', command: 'one\n' }],
    ['- script: one', { kind: 'script', script: 'one' }],
    [
      '- {run: sub, params: "A=1 b"}',
      {
        kind: 'dag',
        dag: 'sub',
        params: [
          { name: 'A', value: '1' },
          { name: '2', value: 'b' },
        ],
      },
    ],
    ['- {run: sub, params: {A: 1.0}}', { kind: 'dag', dag: 'sub', params: [{ name: 'A', value: '1.0' }] }],
    [
      '- {run: sub, params: ["x y", B: z]}',
      {
        kind: 'dag',
        dag: 'sub',
        params: [
          { name: '1', value: 'x' },
          { name: '2', value: 'y' },
          { name: 'B', value: 'z' },
        ],
      },
    ],
    ['- {run: sub, type: subworkflow}', { kind: 'dag', dag: 'sub', params: [] }],
  ])('%s', (item, action) => {
    expect(loadSteps(`steps:\n${item}\n`)[0]!.action).toEqual(action);
  });
});

describe('params', () => {
  it.each([
    ['params: a P=1 c', ['1=a', 'P=1', '3=c']],
    ['params: [a, "P=1 c", {Q: 2, R: 3}, last]', ['1=a', 'P=1', '3=c', 'Q=2', 'R=3', '6=last']],
    // The form in which a run is stored and shown.
    ['params: ["1=a", "X=1", "3=c"]', ['1=a', 'X=1', '3=c']],
    ['params: {Z: 1, A: 2}', ['Z=1', 'A=2']],
    ['params:\n  - FOO="a b"', ['FOO=a b']],
  ])('%s', (text, expected) => {
    const { params } = loadOne(`${text}\nsteps: [a]`);
    expect(params.map(({ name, value }) => `${name}=${value}`)).toEqual(expected);
  });

  it.each([
    ['A=1 A=2', '1:9', 'params', 'A'],
    ['[A: 1, B: 2, A: 3]', '1:22', 'params[2].A', 'A'],
    ['["1=a", "1=b"]', '1:17', 'params[1]', '1'],
    ['\n  - A: 1\n  - B: 2\n  - A: 3', '4:5', 'params[2].A', 'A'],
    ['\n  - {A: 1, B: 2}\n  - B=3', '3:5', 'params[1]', 'B'],
  ])('duplicates are rejected at the second: %j', (params, at, path, name) => {
    const [error, ...more] = loadSpec({ text: `params: ${params}\nsteps: [a]` }).diagnostics;
    expect(more).toEqual([]);
    expect(`${error!.line}:${error!.column} ${error!.path}`).toBe(`${at} ${path}`);
    expect(error!.message).toMatch(`Duplicate parameter "${name}" (first used in line`);
  });
});

describe('documents', () => {
  it('after the first are the local workflows', () => {
    const { workflows } = loadSpec({ text: readFixture('valid/every-field.yaml') });
    expect(workflows.map(({ name }) => name)).toEqual(['every-field', 'child']);
    expect(workflows[1]!.params).toEqual([
      { name: 'REGION', value: 'us' },
      { name: '2', value: 'positional' },
    ]);
  });
});

describe('every field', () => {
  it('is loaded into the model', () => {
    const [workflow] = loadSpec({ text: readFixture('valid/every-field.yaml') }).workflows;
    expect(workflow).toMatchObject({
      tags: ['etl', 'nightly'],
      shell: ['bash', '-e', '-o', 'pipefail'],
      env: [
        { name: 'REGION', value: 'eu' },
        { name: 'TARGET', value: '${REGION}/out' },
        { name: 'LIMIT', value: '3' },
      ],
      params: [
        { name: '1', value: 'first' },
        { name: 'KEY', value: 'value' },
        { name: '3', value: 'two words' },
      ],
      preconditions: [
        { kind: 'command', command: 'test -d .', negate: false },
        { kind: 'expression', condition: '`date +%u`', expected: 're:[1-5]', negate: false },
        { kind: 'command', command: 'test -f stop', negate: true },
      ],
      timeoutSec: 3600,
      maxActiveRuns: 2,
      maxActiveSteps: 4,
      maxCleanUpTimeSec: 10,
      maxOutputSize: 2048,
      schedule: {
        start: ['CRON_TZ=Europe/Berlin 30 6 * * 1-5', 'CRON_TZ=Europe/Berlin 0 12 * * SAT'],
        stop: ['CRON_TZ=Europe/Berlin 0 18 * * *'],
        restart: ['CRON_TZ=Europe/Berlin 0 0 * * 0'],
      },
      timezone: 'Europe/Berlin',
      catchup: 'last',
      catchupWindowSec: 172_800,
      overlap: 'queue',
      skipIfSuccessful: true,
    });
    expect(workflow!.steps[0]).toMatchObject({
      dir: 'data',
      shell: ['sh', '-e'],
      output: 'EXTRACTED',
      continueOn: { failure: true, skipped: false },
      retry: { limit: 3, intervalSec: 2, exitCodes: [1, 75], backoff: 2, maxIntervalSec: 60 },
      timeoutSec: 30,
      signalOnStop: 'SIGINT',
      at: { line: 45, column: 5 },
    });
    expect(workflow!.steps[2]!.continueOn).toEqual({
      failure: false,
      skipped: true,
      exitCodes: [3],
      output: ['warning', 're:^ok'],
      markSuccess: true,
    });
    expect(Object.values(workflow!.handlers).map(({ name }) => name)).toEqual([
      'onInit',
      'onSuccess',
      'onFailure',
      'onAbort',
      'onExit',
    ]);
  });

  it('has its default', () => {
    expect(loadOne('steps: [a]')).toMatchObject({
      type: 'chain',
      tags: [],
      maxActiveRuns: 1,
      maxActiveSteps: 0,
      maxCleanUpTimeSec: 5,
      maxOutputSize: 1_048_576,
    });
    expect(loadOne('maxActiveRuns: 0\ntags: " A , b,, a"\nsteps: [a]')).toMatchObject({
      maxActiveRuns: 1,
      tags: ['a', 'b'],
    });
  });

  it('maxOutputSize has a maximum', () => {
    const { diagnostics } = loadSpec({ text: 'maxOutputSize: 67108865\nsteps: [a]' });
    expect(diagnostics).toMatchObject([
      { severity: 'error', line: 1, message: expect.stringContaining('at most 67108864 (64 MiB)') },
    ]);
  });

  it('that is a number can be quoted', () => {
    const text = `maxActiveRuns: '-1'
maxActiveSteps: '2'
maxOutputSize: '67108864'
maxCleanUpTimeSec: '7'
histRetentionDays: '-1'
timeout: '60'
delaySec: '1'
restartWaitSec: '1.5'
steps:
  - command: a
    timeoutSec: '5'
    parallel: {items: [x], maxConcurrent: '3'}
    continueOn: {exitCode: '3'}
    retryPolicy: {limit: '1', intervalSec: '0', maxIntervalSec: '9', exitCode: ['75']}
    repeatPolicy: {repeat: true, limit: '2', intervalSec: '0'}
`;
    const { workflows, diagnostics } = loadSpec({ text });
    expect(diagnostics).toEqual([]);
    const quoteless = loadSpec({ text: text.replaceAll("'", '') }).workflows;
    expect(JSON.stringify(workflows)).toBe(JSON.stringify(quoteless));
    expect(workflows[0]).toMatchObject({ maxActiveSteps: 2, maxActiveRuns: -1, histRetentionDays: -1 });
  });

  it("is accepted in Dagu's spellings, with a warning for each", () => {
    const { workflows, diagnostics } = loadSpec({ text: readFixture('valid/peer-spellings.yaml') });
    expect(workflows[0]).toMatchObject({
      workingDir: '/tmp',
      timeoutSec: 60,
      maxActiveRuns: 3,
      handlers: { abort: { name: 'onAbort' } },
    });
    expect(workflows[0]!.preconditions).toHaveLength(2);
    expect(workflows[0]!.steps[0]).toMatchObject({
      dir: 'sub',
      timeoutSec: 5,
      retry: { exitCodes: [3] },
      continueOn: { markSuccess: true },
    });
    expect(diagnostics).toHaveLength(15);
    expect(
      diagnostics.every(({ severity, message }) => severity === 'warning' && message.includes('Use "')),
    ).toBe(true);
  });

  it('counts as absent if empty, unless empty has a meaning', () => {
    const text = 'env:\nparams: ~\nsteps:\n- command: a\n  depends:\nhandlerOn:\n  exit:\n';
    const { workflows, diagnostics } = loadSpec({ text });
    expect(workflows[0]).toMatchObject({ env: [], params: [], handlers: {} });
    expect(diagnostics.map(({ severity, path }) => `${severity} ${path}`)).toEqual([
      'warning env',
      'warning params',
      'warning steps[0].depends',
      'warning handlerOn.exit',
    ]);
    expect(errorsOf('steps:')[0]).toMatch(/^1:7 "steps" is empty/);
    expect(errorsOf('steps:\n- command:')[0]).toMatch(/^2:11 "command" is empty/);
  });
});

describe('YAML', () => {
  it('keeps the notation of numbers where a string is expected', () => {
    const { env, params } = loadOne(readFixture('valid/unquoted-values.yaml'));
    expect(env.map(({ value }) => value)).toEqual(['1.10', '007', 'true', '', '2026-01-01']);
    expect(params).toEqual([
      { name: 'RATE', value: '1.50' },
      { name: '2', value: '8' },
    ]);
  });

  it('merges maps, with own keys at the end and overriding', () => {
    const [, two, three] = loadSteps(readFixture('valid/anchors.yaml'));
    expect(two).toMatchObject({ name: 'two', env: [{ name: 'A' }, { name: 'B' }], retry: { limit: 1 } });
    expect(three!.retry).toEqual(two!.retry);
  });

  it('keeps the order of a map of steps', () => {
    expect(loadSteps(readFixture('valid/step-map.yaml')).map(({ name }) => name)).toEqual([
      'zebra',
      '10',
      'apple',
    ]);
  });

  it('can start with a byte order mark and have CR LF line ends, neither counted in positions', () => {
    const text = readFixture('valid/windows.yaml');
    expect(text.charCodeAt(0)).toBe(0xfeff);
    expect(text).toContain('\r\n');
    expect(loadSteps(text).map(({ at }) => at)).toEqual([
      { line: 2, column: 5 },
      { line: 4, column: 5 },
    ]);
    expect(errorsOf('\uFEFFnope: 1\r\nsteps: [a]\r\nnope2: 2\r\n').map((error) => error.slice(0, 3))).toEqual(
      ['1:1', '3:1'],
    );
  });

  it('supports names of built-in object members', () => {
    const text =
      'env: {__proto__: a, constructor: b, toString: c}\nsteps: {__proto__: echo a, hasOwnProperty: echo b}\n';
    const workflow = loadOne(text);
    expect(workflow.env.map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(workflow.steps.map(({ name }) => name)).toEqual(['__proto__', 'hasOwnProperty']);
    expect(errorsOf('__proto__: 1\nconstructor: 2\nsteps: [a]')).toHaveLength(2);
  });

  it('rejects names reserved for directories, in the name or the file', () => {
    for (const name of ['.', '..']) {
      expect(errorsOf(`name: ${name}\nsteps: [a]\n`)).toEqual([
        `1:7 "name" must not consist only of dots, but is the string "${name}".`,
      ]);
      expect(loadSpec({ text: 'steps: [a]\n', file: `${name}.yaml` }).diagnostics[0]?.message).toContain(
        `The workflow name comes from the file name, but "${name}" refers to a folder. Add "name:", or rename the file.`,
      );
    }
    expect(loadOne('name: ...\nsteps: [a]\n').name).toBe('...');
  });

  it('of version 1.1 causes a warning', () => {
    const text = '%YAML 1.1\n---\nenv: &e {DAY: 2026-01-01}\nsteps:\n- {command: a, env: {<<: *e}}\n';
    expect(loadSteps(text)[0]!.env).toEqual([{ name: 'DAY', value: '2026-01-01' }]);
  });
});
