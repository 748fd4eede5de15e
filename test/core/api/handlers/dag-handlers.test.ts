import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TestEngine, testCaller } from '../../../harness/engine.ts';

function setUp() {
  const engine = new TestEngine();
  const save = (name: string, text: string): void =>
    writeFileSync(path.join(engine.home, 'dags', `${name}.yaml`), text);
  return { engine, save, api: engine.host.api };
}

describe('operations on workflows', () => {
  test('dags.list shows valid and invalid files with their latest run', async () => {
    const { engine, save, api } = setUp();
    save('b', 'name: other\ndescription: text\ntags: [x]\nsteps: ["true", "true"]');
    save('a', 'steps: [');
    await engine.end(await api.call('dags.start', { fileName: 'b' }, testCaller));
    const { dags } = await api.call('dags.list', {}, testCaller);
    expect(dags).toMatchObject([
      { fileName: 'a', name: 'a', valid: false, stepCount: 0 },
      {
        fileName: 'b',
        name: 'other',
        valid: true,
        stepCount: 2,
        description: 'text',
        tags: ['x'],
        latestRun: { name: 'other', status: 'succeeded', trigger: 'cli' },
      },
    ]);
  });

  test('dags.list by next run sorts earlier runs first and unscheduled workflows last', async () => {
    const { save, api } = setUp();
    save('late', 'schedule: "0 12 * * *"\nsteps: ["true"]');
    save('none', 'steps: ["true"]');
    save('early', 'schedule: "0 3 * * *"\nsteps: ["true"]');
    const { dags } = await api.call('dags.list', { sort: 'nextRun' }, testCaller);
    expect(dags.map(({ fileName }) => fileName)).toEqual(['early', 'late', 'none']);
    expect(dags.map(({ nextRun }) => nextRun !== undefined)).toEqual([true, true, false]);
  });

  test('dags.get resolves the schema of the parameters for a form, or says why it cannot', async () => {
    const { engine, save, api } = setUp();
    save('release', 'params: { schema: ./release.json, values: { batch: 20 } }\nsteps: ["true"]\n');
    expect(await api.call('dags.get', { fileName: 'release' }, testCaller)).toMatchObject({
      paramForm: {
        fields: [{ name: 'batch', default: '20' }],
        problem: expect.stringContaining('Parameter schema "./release.json" not found.') as string,
      },
    });
    const schema = { properties: { env: { enum: ['dev'] }, batch: { type: 'integer' } }, required: ['env'] };
    writeFileSync(path.join(engine.home, 'dags', 'release.json'), JSON.stringify(schema));
    const { paramForm } = await api.call('dags.get', { fileName: 'release' }, testCaller);
    expect(paramForm).toEqual({
      fields: [
        { name: 'env', type: 'string', required: true, choices: [{ value: 'dev' }] },
        { name: 'batch', type: 'integer', required: false, default: '20' },
      ],
    });
  });

  test.each(['dags.start', 'dags.enqueue'] as const)('%s names wrong values by field', async (operation) => {
    const { save, api } = setUp();
    const params = '[{ name: env, required: true }, { name: batch, type: integer, minimum: 1 }]';
    save('release', `params: ${params}\nsteps: ["true"]\n`);
    const starting = api.call(operation, { fileName: 'release', params: 'batch=0' }, testCaller);
    await expect(starting).rejects.toMatchObject({
      code: 'bad_request',
      details: {
        errors: [
          { field: 'params.env', message: 'Required.' },
          { field: 'params.batch', message: 'Must be >= 1 (got 0)' },
        ],
        missing: [{ name: 'env' }],
      },
    });
  });

  test('dags.get shows the text, the workflow, its local DAGs and its errors', async () => {
    const { save, api } = setUp();
    const text = 'steps: ["true"]\n---\nname: local\nsteps: ["true"]\n';
    save('two', text);
    expect(await api.call('dags.get', { fileName: 'two' }, testCaller)).toMatchObject({
      spec: text,
      workflow: { name: 'two' },
      localDags: [{ name: 'local' }],
      diagnostics: [],
    });
    save('two', 'steps: [{ comand: x }]');
    expect(await api.call('dags.get', { fileName: 'two' }, testCaller)).toMatchObject({
      valid: false,
      diagnostics: [{ severity: 'error', line: 1, column: 11 }],
    });
    await expect(api.call('dags.get', { fileName: 'three' }, testCaller)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('dags.start accepts parameters, an id and a name, and rejects what cannot run', async () => {
    const { engine, save, api } = setUp();
    save('job', 'params: A=1 B=2\nsteps: ["true"]');
    const run = await api.call(
      'dags.start',
      { fileName: 'job', params: 'B=3', dagRunId: 'mine', dagName: 'renamed' },
      { via: 'ipc', name: 'window' },
    );
    expect(run).toEqual({ name: 'renamed', dagRunId: 'mine' });
    expect(await engine.end(run)).toMatchObject({
      trigger: 'manual',
      params: [
        { name: 'A', value: '1' },
        { name: 'B', value: '3' },
      ],
      file: path.join(engine.home, 'dags/job.yaml'),
    });
    save('job', 'steps: []');
    await expect(api.call('dags.start', { fileName: 'job' }, testCaller)).rejects.toMatchObject({
      code: 'invalid_spec',
    });
    rmSync(path.join(engine.home, 'dags/job.yaml'));
    await expect(api.call('dags.start', { fileName: 'job' }, testCaller)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('dags.validate reports problems without storing', async () => {
    const { api } = setUp();
    const validate = (spec: string) => api.call('dags.validate', { spec }, testCaller);
    expect(await validate('name: ok\nsteps: ["true"]')).toMatchObject({
      valid: true,
      errors: [],
      dag: { name: 'ok' },
    });
    expect(await validate('steps:\n  - comand: x')).toMatchObject({
      valid: false,
      errors: [expect.stringMatching(/2:5: .*comand/)],
    });
    expect((await api.call('dags.list', {}, testCaller)).dags).toEqual([]);
  });

  test('dags.importCrontab reports workflows, collisions and the lines to comment out', async () => {
    const { engine } = setUp();
    const crontab =
      'MAILTO=ops@example.com\n# rotate logs\n0 3 * * * rotate.sh\n61 * * * * x\n0 3 * * * load.sh\n';
    const report = await engine.call('dags.importCrontab', { crontab, group: 'web' });
    expect(report).toMatchObject({
      workflows: [
        { name: 'rotate', line: 3, mailTo: ['ops@example.com'] },
        { name: 'load', line: 5, spec: expect.stringContaining('group: web') },
      ],
      notes: [expect.stringContaining('Line 4 was skipped.')],
      collisions: [expect.stringContaining('rotate, load')],
      editedCrontab: crontab
        .replace('0 3 * * * rotate', '# 0 3 * * * rotate')
        .replace('0 3 * * * load', '# 0 3 * * * load'),
    });
    const spread = await engine.call('dags.importCrontab', { crontab, spread: true });
    expect(spread.collisions).toEqual([]);
    expect(spread.workflows[1]!.spec).toContain('schedule: 1 3 * * *');
    for (const { name, spec } of spread.workflows) await engine.call('dags.create', { name, spec });
    await expect(engine.call('dags.importCrontab', { crontab: 'hello' })).rejects.toThrow(
      'Line 1 was skipped.',
    );
  });
});
