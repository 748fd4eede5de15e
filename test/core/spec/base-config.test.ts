import { describe, expect, it } from 'vitest';
import type { Workflow } from '../../../core/model/workflow.ts';
import { loadBaseConfig } from '../../../core/spec/base-config.ts';
import { loadSpec } from '../../../core/spec/load.ts';

/** A workflow of one step over a base configuration. */
function load(base: string, own = ''): Workflow {
  const loaded = loadBaseConfig({ text: base, file: 'base.yaml' });
  expect(loaded.diagnostics).toEqual([]);
  const spec = loadSpec({ text: `${own}\nsteps: [echo a, echo b]\n`, base: loaded.base! });
  expect(spec.diagnostics).toEqual([]);
  return spec.workflows[0]!;
}

const pairs = (entries: readonly { name: string; value: string }[]) =>
  entries.map(({ name, value }) => `${name}=${value}`);

describe('base configuration', () => {
  it('provides defaults for a workflow', () => {
    expect(
      load('type: graph\nmaxActiveRuns: 3\ntimeout: 9\nqueue: q\nworkingDir: /w\nschedule: 0 1 * * *'),
    ).toMatchObject({
      name: 'dag',
      type: 'graph',
      maxActiveRuns: 3,
      maxActiveSteps: 0,
      timeoutSec: 9,
      queue: 'q',
      workingDir: '/w',
      schedule: { start: ['0 1 * * *'] },
      steps: [{ depends: [] }, { depends: [] }],
    });
  });

  it('is overridden by a workflow, unless its value is empty, 0 or false', () => {
    const base =
      'type: graph\nmaxActiveSteps: 4\ndelaySec: 2\nskipIfSuccessful: true\nlogDir: /base\ngroup: g';
    const own =
      'type: chain\nmaxActiveSteps: 0\ndelaySec: 1\nskipIfSuccessful: false\ngroup: ""\nmaxOutputSize: 10';
    expect(load(base, own)).toMatchObject({
      type: 'chain',
      maxActiveSteps: 4,
      delaySec: 1,
      skipIfSuccessful: true,
      logDir: '/base',
      group: 'g',
      maxOutputSize: 10,
      steps: [{}, { depends: ['cmd_1'] }],
    });
  });

  it('comes first in merged lists', () => {
    const base = 'env: [A: 1, B: 2]\nparams: X=1 Y=2\ntags: [base, both]\ndotenv: .env.base\nshell: bash -e';
    const own = 'env: [B: 3, C: "${A}"]\nparams: Y=3 Z=4\ntags: [both, own]\ndotenv: .env\nshell: bash -u';
    const workflow = load(base, own);
    expect(pairs(workflow.env)).toEqual(['A=1', 'B=2', 'B=3', 'C=${A}']);
    expect(pairs(workflow.params)).toEqual(['X=1', 'Y=3', 'Z=4']);
    expect(workflow).toMatchObject({
      tags: ['base', 'both', 'own'],
      dotenv: ['.env.base', '.env'],
      shell: ['bash', '-e', '-u'],
    });
    expect(load(base)).toMatchObject({ dotenv: ['.env.base'], shell: ['bash', '-e'] });
    expect(load('group: g', own)).toMatchObject({ dotenv: ['.env'], shell: ['bash', '-u'] });
  });

  it('has other lists that a workflow replaces', () => {
    const base =
      'preconditions: test -d base\nsecrets: [{name: A, provider: env, key: B}]\nschedule: {start: 0 1 * * *, stop: 0 2 * * *}';
    expect(load(base, 'preconditions: test -d own\nschedule: 0 3 * * *')).toMatchObject({
      preconditions: [{ command: 'test -d own' }],
      secrets: [{ name: 'A' }],
      schedule: { start: ['0 3 * * *'], stop: ['0 2 * * *'], restart: [] },
    });
  });

  it('has mail and tracing that are merged by field, and mailOn that is not', () => {
    const base = `mailOn: {failure: true, success: true}
smtp: {host: base, port: 25}
errorMail: {from: base@x, to: base@x}
otel: {enabled: true, headers: {A: 1}}
runConfig: {disableParamEdit: true}
workerSelector: {region: eu}`;
    const own = `mailOn: {failure: false}
smtp: {host: own}
errorMail: {to: [own@x], prefix: own}
otel: {endpoint: own, headers: {B: 2}}
runConfig: {disableRunIdEdit: true}
workerSelector: {disk: ssd}`;
    expect(load(base, own)).toMatchObject({
      mailOn: { failure: false, success: false },
      smtp: [{ host: 'own', port: '25' }],
      errorMail: { from: 'base@x', to: ['own@x'], prefix: 'own' },
      otel: { enabled: true, endpoint: 'own', headers: { A: '1', B: '2' } },
      runConfig: { disableParamEdit: true, disableRunIdEdit: true },
      workerSelector: { region: 'eu', disk: 'ssd' },
    });
    expect(load(base)).toMatchObject({ mailOn: { failure: true, success: true }, smtp: [{ host: 'base' }] });
  });

  it('has mail servers that a list of the workflow replaces completely', () => {
    const two = 'smtp: [{host: one}, {host: two, skipTLSVerify: true}]';
    const servers = [{ host: 'one' }, { host: 'two', skipTLSVerify: true }];
    expect(load('smtp: {host: base, port: 25}', two).smtp).toEqual(servers);
    expect(load(two, 'smtp: {host: own, username: me}').smtp).toEqual([{ host: 'own', username: 'me' }]);
    expect(load(two, 'smtp: []').smtp).toEqual(servers);
  });

  it('distinguishes its own "mailOn" from one of the workflow', () => {
    const base = 'mailOn: {failure: true}';
    expect(load(base).inheritedMailOn).toBe(true);
    expect(load(base, 'mailOn: {failure: true}').inheritedMailOn).toBeUndefined();
  });

  it('provides handlers, which are distinguished from own ones and can be skipped', () => {
    const base = 'handlerOn: {failure: base, exit: base}';
    const own = load(base, 'handlerOn: {exit: own, init: own}');
    expect(own.handlers).toMatchObject({
      init: { action: { command: 'own' } },
      failure: { action: { command: 'base' } },
      exit: { action: { command: 'own' } },
    });
    expect(own.inheritedHandlers).toEqual(['failure']);
    const skipped = load(base, 'skipBaseHandlers: true\nhandlerOn: {exit: own}');
    expect(Object.keys(skipped.handlers)).toEqual(['exit']);
    expect(skipped.inheritedHandlers).toBeUndefined();
  });

  it('applies to every document of a file', () => {
    const { base } = loadBaseConfig({ text: 'env: {A: 1}' });
    const text = 'steps: [a]\n---\nname: child\nsteps: [b]\n';
    expect(loadSpec({ text, base: base! }).workflows.map(({ env }) => pairs(env))).toEqual([
      ['A=1'],
      ['A=1'],
    ]);
  });

  it('can be empty', () => {
    expect(loadBaseConfig({ text: '# nothing yet\n' })).toEqual({ base: undefined, diagnostics: [] });
  });

  it('is validated like a workflow, with warnings for fields of a single one', () => {
    const { base, diagnostics } = loadBaseConfig({
      text: 'name: a\nsteps: [b]\nevn: {}\n',
      file: 'base.yaml',
    });
    expect(base).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: 'warning', file: 'base.yaml', line: 1, path: 'name' },
      { severity: 'warning', line: 2, path: 'steps' },
      { severity: 'error', line: 3, path: 'evn' },
    ]);
    expect(loadBaseConfig({ text: 'env: 5' }).diagnostics).toMatchObject([
      { severity: 'error', path: 'env' },
    ]);
  });

  it.each([
    ['- echo a\n', 'a list'],
    ['shell bash\n', 'the string "shell bash"'],
  ])('is a map: %j', (text, found) => {
    expect(loadBaseConfig({ text }).diagnostics.map(({ message }) => message)).toEqual([
      `The base configuration must be a map of fields, but this file is ${found}. Write fields as "key: value", such as "shell: bash".`,
    ]);
  });
});
