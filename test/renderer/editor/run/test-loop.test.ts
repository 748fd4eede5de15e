import { expect, it } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { EditorSession } from '../../../../renderer/editor/session/editor-session.ts';
import { TestLoop } from '../../../../renderer/editor/run/test-loop.ts';
import { FakeBridge } from '../../renderer-harness.tsx';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeRunView, makeStepRunView } from '../../../harness/samples.ts';
import { until } from '../../../harness/resources.ts';
import { startDirectWorker, type } from '../editor-harness.tsx';

const text =
  'type: graph\nsteps:\n  - name: a\n    command: echo\n  - name: b\n    command: echo\n    depends: [a]\n';

async function openLoop(of: string) {
  const said: string[] = [];
  const problems: number[] = [];
  let runs = 0;
  const bridge = new FakeBridge({
    'runs.start': () => {
      runs += 1;
      return { name: 'etl', dagRunId: `r${runs}` };
    },
    'runs.stop': () => ({ name: 'etl', dagRunId: 'r1' }),
  });
  const clock = new FakeClock();
  const session = new EditorSession({
    fileName: 'etl',
    saved: { text: of, hash: 'h' },
    clock,
    startDocumentWorker: startDirectWorker,
  });
  session.start();
  await until(() => session.view.analysis !== undefined);
  const loop = new TestLoop({
    session,
    bridge,
    notify: (reason) => said.push(reason),
    showProblem: ({ line }) => problems.push(line),
  });
  const inputs = (): readonly unknown[] => bridge.calls.map(({ input }) => input);
  return { loop, session, bridge, clock, said, problems, inputs };
}

const end = (dagRunId: string) =>
  makeRunView({
    ...{ dagRunId, status: 'succeeded' },
    steps: [makeStepRunView('a', { status: 'succeeded', output: { name: 'ROWS', value: '7' } })],
  });

it('runs the current text, and shows when it was edited afterwards', async () => {
  const { loop, session, inputs } = await openLoop(text);
  type(session, 0, '# mine\n');
  loop.runAll();
  await until(() => loop.store.getState().test !== undefined);
  expect(inputs()).toEqual([{ spec: `# mine\n${text}`, fileName: 'etl' }]);
  loop.handleRun(end('r1'));
  expect(loop.store.getState().appearances.get('step:a')?.status).toBe('succeeded');
  type(session, 0, '#');
  loop.compareText();
  expect(loop.store.getState().isEarlierText).toBe(true);
  type(session, 0, '', 1, 'delete.backward');
  loop.compareText();
  expect(loop.store.getState().isEarlierText).toBe(false);
});

it('passes the outputs of the last run to a single step, and reports when there is none', async () => {
  const { loop, inputs } = await openLoop(text);
  loop.runStep('b');
  await until(() => loop.store.getState().test !== undefined);
  expect(loop.store.getState().test?.outputs).toBe('none');
  loop.handleRun(end('r1'));
  loop.runAll();
  await until(() => loop.store.getState().test?.ref.dagRunId === 'r2');
  loop.handleRun(end('r2'));
  loop.runStep('b');
  await until(() => loop.store.getState().test?.ref.dagRunId === 'r3');
  expect(inputs()[2]).toEqual({ spec: text, fileName: 'etl', steps: ['b'], outputsFrom: 'r2' });
  expect(loop.outputs().get('ROWS')?.value).toBe('7');
});

it('starts nothing during a run', async () => {
  const { loop, inputs, said } = await openLoop(text);
  loop.runAll();
  loop.runAll();
  await until(() => loop.store.getState().test !== undefined);
  loop.runUpTo('b');
  expect(inputs()).toHaveLength(1);
  expect(said).toHaveLength(2);
});

it('jumps to the error of a text that cannot run', async () => {
  const { loop, inputs, said, problems } = await openLoop('steps:\n  - name: a\n    comand: echo\n');
  loop.runAll();
  loop.dryRun();
  expect(inputs()).toEqual([]);
  expect(said[0]).toContain('Error on line');
  expect(problems).toHaveLength(2);
});

it('validates the latest input instead of an outdated analysis', async () => {
  const broken = 'steps:\n  - name: a\n    comand: echo\n';
  const { loop, session, clock, inputs, said } = await openLoop(broken);
  type(session, broken.indexOf('mand'), 'm');
  loop.runAll();
  loop.runAll();
  expect(said).toEqual([]);
  await until(() => loop.store.getState().test !== undefined);
  expect(inputs()).toEqual([{ spec: broken.replace('comand', 'command'), fileName: 'etl' }]);
  loop.handleRun(end('r1'));
  type(session, 0, 'x: [');
  loop.runAll();
  clock.advance(100);
  await until(() => said.length > 0);
  expect(said[0]).toContain('Error on line');
  expect(inputs()).toHaveLength(1);
});

it('asks for parameters and remembers them', async () => {
  const { loop, inputs } = await openLoop(`params: DAY=mon\n${text}`);
  loop.runUpTo('b');
  expect(inputs()).toEqual([]);
  await loop.answer({ DAY: 'tue' }, { params: 'DAY=tue', dagRunId: '' });
  await until(() => loop.store.getState().test !== undefined);
  expect(inputs()[0]).toMatchObject({ upTo: 'b', params: expect.stringContaining('tue') as string });
  expect(loop.store.getState()).toMatchObject({ answers: { DAY: 'tue' }, question: undefined });
  loop.handleRun(end('r1'));
  loop.runAgain();
  await until(() => loop.store.getState().test?.ref.dagRunId === 'r2');
  expect(inputs()[1]).toEqual(inputs()[0]);
});

it('keeps the dialog open for values that the engine rejects', async () => {
  const { loop, bridge } = await openLoop(`params: [{ name: DAY, required: true }]\n${text}`);
  const rejection = new AppError('bad_request', 'parameter validation failed: "DAY" is missing', {
    details: { errors: [{ field: 'params.DAY', message: 'Required.' }] },
  });
  bridge.answers['runs.start'] = () => Promise.reject(rejection);
  loop.runAll();
  await loop.answer({ DAY: '' }, { params: '', dagRunId: '' });
  expect(loop.store.getState()).toMatchObject({
    question: { scope: { kind: 'all' } },
    rejection,
    startError: undefined,
  });
  loop.closeQuestion();
  expect(loop.store.getState()).toMatchObject({ question: undefined, rejection: undefined });
});

it('shows why the engine rejected the run', async () => {
  const { loop, bridge } = await openLoop(text);
  bridge.answers['runs.start'] = () =>
    Promise.reject(new AppError('max_run_reached', 'There is one already.'));
  loop.runAll();
  await until(() => loop.store.getState().startError !== undefined);
  expect(loop.store.getState()).toMatchObject({ startError: 'There is one already.', isStarting: false });
  loop.clear();
  expect(loop.store.getState().startError).toBeUndefined();
});
