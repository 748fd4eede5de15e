import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TestEngine, stdoutOf, testCaller } from '../../../harness/engine.ts';

function setUp() {
  const engine = new TestEngine();
  const write = (name: string) => (text: string) => writeFileSync(path.join(engine.home, name), text);
  return { engine, api: engine.host.api, saveBase: write('base.yaml'), saveDag: write('dags/mine.yaml') };
}

const dag = 'name: mine\nsteps: [{ name: say, command: echo $GREETING }]\n';
const base = (greeting: string): string => `env: { GREETING: ${greeting} }\n`;

describe('base configuration in the home', () => {
  test('applies to every workflow that is started, whatever its source', async () => {
    const { engine, api, saveBase, saveDag } = setUp();
    saveBase(base('hello'));
    saveDag(dag);
    const file = path.join(engine.home, 'dags/mine.yaml');
    const started = [
      await api.call('dags.start', { fileName: 'mine' }, testCaller),
      await engine.start(dag, { name: 'text' }),
      await engine.start(dag, { name: 'file', source: { file } }),
    ];
    for (const run of started) expect(stdoutOf(await engine.end(run), 'say')).toBe('hello\n');
  });

  test('applies to sub-workflows', async () => {
    const { engine, saveBase, saveDag } = setUp();
    saveBase(base('hello'));
    saveDag(dag);
    const local = dag.replace('mine', 'local');
    const parent = await engine.run(`steps: [{ run: mine }, { run: local }]\n---\n${local}`);
    expect(parent.status).toBe('succeeded');
    for (const [child] of parent.steps.map((step) => step.subRuns))
      expect(stdoutOf(await engine.get(child!), 'say')).toBe('hello\n');
  });

  test('stays as it was when the run was created', async () => {
    const { engine, saveBase } = setUp();
    saveBase(base('before'));
    const run = await engine.run(dag);
    const local = await engine.run(`steps: [{ run: mine }]\n---\n${dag}`, { name: 'parent' });
    saveBase(base('after'));
    const valueOf = async (ref: { name: string; dagRunId: string }) =>
      (await engine.get(ref)).workflow.env.map(({ value }) => value);
    expect(await valueOf(run)).toEqual(['before']);
    expect(await valueOf(local.steps[0]!.subRuns[0]!)).toEqual(['before']);
    const again = await engine.run(dag);
    expect(await valueOf(again)).toEqual(['after']);
    // Including the file of that time: a later process has only the store.
    saveBase('');
    expect(await valueOf(again)).toEqual(['after']);
  });

  test('is visible in the workflow, with its group and schedule', async () => {
    const { api, saveBase, saveDag } = setUp();
    saveDag(dag);
    saveBase('group: all\nschedule: 0 1 * * *\n');
    const shown = { group: 'all', schedule: { start: ['0 1 * * *'] }, valid: true };
    expect((await api.call('dags.list', {}, testCaller)).dags).toMatchObject([shown]);
    const { spec, workflow } = await api.call('dags.get', { fileName: 'mine' }, testCaller);
    expect(spec).toBe(dag);
    expect(workflow).toMatchObject({ group: 'all' });
  });

  test('if invalid, prevents all starts but hides nothing', async () => {
    const { engine, api, saveBase, saveDag } = setUp();
    saveDag(dag);
    saveBase('env: { A: a }\nmaxActiveRuns: many\n');
    const diagnostic = {
      severity: 'error',
      file: path.join(engine.home, 'base.yaml'),
      line: 2,
      column: 16,
      path: 'maxActiveRuns',
    };
    const error = {
      code: 'invalid_spec',
      message: expect.stringMatching(
        /^The base configuration is invalid, so no workflow can start: .*base\.yaml:2:16: .*number/,
      ),
      details: { diagnostics: [diagnostic] },
    };
    await expect(api.call('dags.start', { fileName: 'mine' }, testCaller)).rejects.toMatchObject(error);
    await expect(engine.start(dag)).rejects.toMatchObject(error);
    expect((await api.call('dags.list', {}, testCaller)).dags).toMatchObject([
      { name: 'mine', stepCount: 1, valid: false, problem: { line: 2, base: diagnostic.file } },
    ]);
    expect(await api.call('dags.get', { fileName: 'mine' }, testCaller)).toMatchObject({
      workflow: { name: 'mine' },
      diagnostics: [diagnostic],
    });
    const validated = await api.call('dags.validate', { spec: dag }, testCaller);
    expect(validated).toMatchObject({ valid: true, diagnostics: [], baseDiagnostics: [diagnostic] });
    saveBase('');
    expect(await api.call('dags.validate', { spec: '' }, testCaller)).toMatchObject({ baseDiagnostics: [] });
    expect((await engine.end(await engine.start(dag))).status).toBe('succeeded');
  });

  test('applies to text that is validated or saved', async () => {
    const { api, saveBase } = setUp();
    const spec = 'steps: [{ command: a }]\n';
    const check = () => api.call('dags.validate', { spec, name: 'checked' }, testCaller);
    saveBase('group: all\nmaxActiveSteps: 3\n');
    expect(await check()).toMatchObject({ valid: true, dag: { group: 'all', maxActiveSteps: 3 } });
    await api.call('dags.create', { spec, name: 'checked' }, testCaller);
    const saved = await api.call('dags.get', { fileName: 'checked' }, testCaller);
    expect((await check()).dag).toEqual(saved.workflow);
  });

  test('if invalid, is reported after the errors of the workflow itself', async () => {
    const { engine, saveBase } = setUp();
    saveBase('evn: {}');
    await expect(engine.start('steps: [{ comand: a }]')).rejects.toMatchObject({
      message: expect.stringContaining('The spec is not a valid workflow: 1:11: '),
      details: { diagnostics: [{ file: '' }, { path: 'evn' }] },
    });
  });
});
