import { describe, expect, it } from 'vitest';
import type { Step } from '../../../core/model/step.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { readFixture } from '../../harness/workflow-texts.ts';

function loadOne(text: string): Workflow {
  const { workflows, diagnostics } = loadSpec({ text });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return workflows[0]!;
}

const loadStep = (fields: string): Step => loadOne(`steps:\n- command: a\n  ${fields}\n`).steps[0]!;

describe('workflow fields', () => {
  const { workflows } = loadSpec({ text: readFixture('valid/language.yaml') });

  it('are loaded into the model', () => {
    expect(workflows[0]).toMatchObject({
      dotenv: ['.env.local', '.env'],
      secrets: [
        { name: 'DB_PASSWORD', provider: 'env', key: 'PROD_DB_PASSWORD', options: {} },
        { name: 'CERT', provider: 'file', key: './secrets/cert', options: { encoding: 'utf8' } },
      ],
      params: [
        { name: 'batch', value: '20' },
        { name: 'region', value: 'eu' },
      ],
      paramSchema: './params.schema.json',
      queue: 'etl',
      workerSelector: { region: 'eu', gpu: 'true' },
      delaySec: 1,
      restartWaitSec: 2,
      histRetentionDays: -1,
      histRetentionRuns: 100,
      logDir: '/tmp/logs',
      skipBaseHandlers: true,
      skipIfSuccessful: true,
      runConfig: { disableParamEdit: true },
      mailOn: { failure: true, success: false },
      smtp: [{ host: 'localhost', port: '25', username: 'robot', password: '${SMTP_PASSWORD}' }],
      errorMail: {
        from: 'a@localhost',
        to: ['b@localhost', 'c@localhost'],
        prefix: '[x]',
        attachLogs: true,
      },
      infoMail: { to: ['b@localhost'] },
      otel: {
        enabled: true,
        timeoutSec: 90,
        headers: { Authorization: 'x' },
        resource: { 'service.name': 'etl' },
      },
    });
    expect(workflows[1]).toMatchObject({
      params: [],
      paramSchema: { type: 'object', properties: { region: { type: 'string', default: 'eu' } } },
    });
  });

  it('are absent by default', () => {
    const { name: _, steps: __, ...workflow } = loadOne('steps: [a]');
    const given = Object.entries(workflow).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(given)).toEqual({
      type: 'chain',
      tags: [],
      handlers: {},
      env: [],
      params: [],
      preconditions: [],
      maxActiveRuns: 1,
      maxActiveSteps: 0,
      maxCleanUpTimeSec: 5,
      maxOutputSize: 1_048_576,
      schedule: { start: [], stop: [], restart: [] },
    });
  });

  it('include a parameter called schema that is not a schema', () => {
    const { params, paramSchema } = loadOne('params: {schema: 3, other: x}\nsteps: [a]');
    expect(params.map(({ name }) => name)).toEqual(['schema', 'other']);
    expect(paramSchema).toBeUndefined();
  });
});

describe('parallel', () => {
  const [expression, list, object] = loadOne(readFixture('valid/language.yaml')).steps;

  it('is an expression, a list, or a map of both', () => {
    expect(expression!.parallel).toEqual({ items: '${REGIONS}', maxConcurrent: 10 });
    expect(list!.parallel).toEqual({
      items: ['eu', '2', '1.50', { region: 'us', count: '007' }],
      maxConcurrent: 10,
    });
    expect(object!.parallel).toEqual({ items: ['eu', 'us'], maxConcurrent: 2 });
  });

  it('works with every type of step', () => {
    expect([expression, list, object].map((step) => step!.action.kind)).toEqual(['command', 'argv', 'dag']);
    expect(loadOne('steps:\n- script: a\n  parallel: [1]').steps[0]).toMatchObject({
      action: { kind: 'script' },
      parallel: { items: ['1'] },
    });
  });

  it('has at most 1000 items', () => {
    const text = (count: number) => `steps:\n- {command: a, parallel: [${'a,'.repeat(count)}]}`;
    expect(loadOne(text(1000)).steps[0]!.parallel!.items).toHaveLength(1000);
    expect(loadSpec({ text: text(1001) }).diagnostics[0]!.message).toBe(
      '"parallel" has more than 1,000 items. Reduce the number of items.',
    );
  });
});

describe('repeatPolicy', () => {
  it.each([
    ['{condition: a, expected: b}', { mode: 'until', condition: 'a', expected: 'b' }],
    ['{condition: a}', { mode: 'while', condition: 'a' }],
    ['{exitCode: 3}', { mode: 'while', exitCodes: [3] }],
    ['{repeat: true}', { mode: 'while', condition: undefined, exitCodes: [] }],
    ['{repeat: until, exitCode: [0]}', { mode: 'until', exitCodes: [0] }],
    ['{repeat: while, condition: a, expected: b}', { mode: 'while', expected: 'b' }],
    ['{repeat: true, condition: 5, expected: 7}', { mode: 'while', condition: '5', expected: '7' }],
    ['{repeat: true, limit: 0}', { limit: undefined, intervalSec: 0, backoff: 1 }],
    [
      '{repeat: true, limit: "3", intervalSec: "1.5", backoff: true, maxIntervalSec: 9}',
      { limit: 3, intervalSec: 1.5, backoff: 2, maxIntervalSec: 9 },
    ],
  ])('%s', (written, expected) => {
    expect(loadStep(`repeatPolicy: ${written}`).repeat).toMatchObject(expected);
  });

  it('that repeats nothing is ignored, with a warning unless intended', () => {
    expect(loadStep('repeatPolicy: {repeat: false, condition: a}').repeat).toBeUndefined();
    const { diagnostics, workflows } = loadSpec({
      text: 'steps:\n- command: a\n  repeatPolicy: {limit: 3}',
    });
    expect(workflows[0]!.steps[0]!.repeat).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: 'warning', line: 3, path: 'steps[0].repeatPolicy' }]);
  });
});

describe('step fields', () => {
  it('are loaded into the model', () => {
    expect(loadOne(readFixture('valid/language.yaml')).steps.at(-1)).toMatchObject({
      stdout: 'out.txt',
      stderr: '${DIR}/err.txt',
      mailOnError: true,
      workerSelector: { disk: 'ssd' },
    });
  });
});

describe('a Dagu file', () => {
  const { workflows, diagnostics } = loadSpec({ text: readFixture('valid/peer-forms.yaml') });
  const [workflow] = workflows;

  it('can name variables that shells cannot read, with a warning', () => {
    expect(workflow!.env.map(({ name }) => name)).toEqual(['my-var', 'dotted.name']);
    expect(workflow!.steps[1]!.output).toBe('step-result');
    expect(diagnostics.map(({ severity, path }) => `${severity} ${path}`)).toEqual([
      'warning env.my-var',
      'warning env["dotted.name"]',
      'warning steps[1].output',
    ]);
  });

  it('can have a time zone in a schedule', () => {
    expect(workflow!.schedule.start).toEqual(['CRON_TZ=Europe/Berlin 0 6 * * *', 'CRON_TZ=UTC 30 6 * * 1-5']);
  });

  it('can compare a command, which is then an expression', () => {
    expect(workflow!.preconditions).toEqual([
      { kind: 'expression', condition: '`date +%u`', expected: 're:[1-5]', negate: false },
      { kind: 'expression', condition: '${STAGE}', expected: 'prod', negate: true },
    ]);
  });

  it('can pass a script to a command', () => {
    expect(workflow!.steps.slice(0, 2).map(({ action }) => action)).toEqual([
      { kind: 'script', script: 'print(1)', command: ['python3', '-u', 'my options'] },
      { kind: 'script', script: 'print(2)', command: ['python3', '-u'] },
    ]);
  });

  it('can have expressions for the numbers of a retry', () => {
    expect(workflow!.steps[1]!.retry).toMatchObject({ limit: '${RETRIES}', intervalSec: '`cat wait`' });
  });

  it('names its steps by type and index', () => {
    expect(workflow!.steps.map(({ name }) => name)).toEqual(['script_1', 'script_2', 'parallel_3']);
  });
});
