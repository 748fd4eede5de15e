import { describe, expect, it } from 'vitest';
import { findReference } from '../../../../renderer/editor/code/hovers.ts';
import { abbreviateValue, mergeOutputs, toStartInput } from '../../../../renderer/editor/run/test-store.ts';
import { formatOutcome } from '../../../../renderer/editor/run/run-panels.tsx';
import { findRunBlocker } from '../../../../renderer/editor/run/test-loop.ts';
import { makeRunView, makeStepRunView } from '../../../harness/samples.ts';
import { analyze } from '../../../harness/workflow-texts.ts';

const from = '2026-01-01T00:00:00.000Z';
const to = '2026-01-01T00:00:03.200Z';
const now = Date.parse(from) + 7_300;

describe('the result of a run', () => {
  it('names the first failed step, the time and the reason', () => {
    const steps = [
      makeStepRunView('late', { status: 'failed', finishedAt: to, error: 'exit code 2' }),
      makeStepRunView('load', { status: 'failed', finishedAt: from, error: 'exit code 1' }),
    ];
    const run = makeRunView({ status: 'failed', startedAt: from, finishedAt: to, steps });
    expect(formatOutcome(run, now)).toBe('Failed in load, 3.2 s: exit code 1');
  });

  it('counts whole seconds during the run', () => {
    expect(formatOutcome(makeRunView({ status: 'running', startedAt: from }), now)).toBe('Running, 7 s');
  });
});

describe('the request to the engine', () => {
  const parts = { fileName: 'etl', text: 'steps: []', params: '', dagRunId: '', outputs: undefined };
  it('contains the text instead of the file', () => {
    expect(toStartInput({ ...parts, scope: { kind: 'all' } })).toEqual({
      spec: 'steps: []',
      fileName: 'etl',
    });
  });

  it('contains a step with the outputs of an earlier run, if any', () => {
    const scope = { kind: 'step', step: 'load' } as const;
    const outputs = { dagRunId: 'r1', createdAt: from };
    expect(toStartInput({ ...parts, scope, outputs })).toMatchObject({ steps: ['load'], outputsFrom: 'r1' });
    expect(toStartInput({ ...parts, scope, outputs: 'none' })).not.toHaveProperty('outputsFrom');
  });
});

it('an invalid text is rejected with the position', () => {
  const wrong = analyze('steps:\n  - name: a\n    comand: echo\n', 'etl.yaml');
  expect(findRunBlocker({ analysis: wrong, failure: undefined }, undefined)?.reason).toMatch(
    /Error on line [23]: /,
  );
  const right = analyze('steps:\n  - name: a\n    command: echo\n', 'etl.yaml');
  expect(findRunBlocker({ analysis: right, failure: undefined }, undefined)).toBeUndefined();
});

it('a valid text is rejected while the base configuration has an error', () => {
  const analysis = analyze('steps:\n  - name: a\n    command: echo\n', 'etl.yaml');
  const place = { file: '/home/base.yaml', line: 3, column: 5, path: '' };
  const fault = { severity: 'error', message: 'wrong', ...place } as const;
  expect(findRunBlocker({ analysis, failure: undefined }, fault)?.reason).toBe(
    'Error in the base configuration on line 3: wrong',
  );
});

it('outputs of a later run override those of an earlier one', () => {
  const first = makeRunView({
    steps: [
      makeStepRunView('a', { output: { name: 'ROWS', value: '7' } }),
      makeStepRunView('b', { output: { name: 'FILE', value: 'x' } }),
    ],
  });
  const second = makeRunView({
    steps: [makeStepRunView('a', { output: { name: 'ROWS', value: { n: 8 } } })],
  });
  const known = mergeOutputs(mergeOutputs(new Map(), first), second);
  expect([...known.values()].map(({ name, value }) => [name, value])).toEqual([
    ['ROWS', '{"n":8}'],
    ['FILE', 'x'],
  ]);
});

it('a value is shown on one line', () => {
  expect(abbreviateValue('a\n b')).toBe('a b');
  expect(abbreviateValue('')).toBe('empty');
  expect(abbreviateValue('x'.repeat(100))).toHaveLength(60);
});

it('a reference is found by a position within it', () => {
  expect(findReference('echo ${ROWS} $FILE', 8)).toEqual({ name: 'ROWS', from: 5, to: 12 });
  expect(findReference('echo ${ROWS} $FILE', 15)?.name).toBe('FILE');
  expect(findReference('echo ${ROWS}', 2)).toBeUndefined();
});
