import { describe, expect, it } from 'vitest';
import type { CaseResult, RanResult, RunResult, StepResult } from './case-result.ts';
import { compare } from './compare.ts';
import type { DryOutcome, Expectation, RunOutcome } from './cases.ts';

const step = (name: string, more: Partial<StepResult> = {}): StepResult => ({
  name,
  status: 'succeeded',
  exitCode: 0,
  attempts: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:00:01.000Z',
  stdout: 'a\n',
  stderr: '',
  runs: [],
  ...more,
});

const run: RunResult = {
  name: 'etl',
  dagRunId: 'id',
  status: 'failed',
  error: 'step "two" failed',
  params: ['1=a'],
  outputs: { OUT: '/f/x', MAP: { a: 1, b: 2 } },
  steps: [step('one'), step('two', { status: 'failed', exitCode: 3, error: 'exit code 3', runs: [] })],
  handlers: [step('onExit')],
};

const problem = {
  file: 'workflow.yaml',
  line: 3,
  column: 5,
  field: 'steps[0]',
  message: 'It is wrong. Mend it.',
};

const ran: RanResult = {
  kind: 'ran',
  run,
  exit: 1,
  warnings: [problem],
  files: { made: 'text\n' },
  paths: { folder: '/f', home: '/h', user: '/u', runId: 'id' },
};

const conforming: RunOutcome = {
  status: 'failed',
  name: 'etl',
  params: ['1=a'],
  outputs: { OUT: '<folder>/x', MAP: { a: 1 } },
  error: ['two', 're:f.iled'],
  steps: {
    one: { status: 'succeeded', stdout: 'a', attempts: 1 },
    two: { status: 'failed', exitCode: 3, error: 'code 3', runs: [] },
  },
  handlers: { onExit: 'succeeded' },
  leaves: { made: 'text' },
  absent: ['never'],
  warnings: [{ at: '3:5', field: 'steps[0]', says: 'wrong' }],
};

describe('comparison of a run', () => {
  it('finds no differences when everything is as expected', () => {
    expect(compare({ expect: conforming }, ran)).toEqual([]);
  });

  it.each<Partial<RunOutcome>>([
    { status: 'succeeded', exit: 1 },
    { exit: 0 },
    { name: 'other' },
    { params: [] },
    { outputs: { OUT: '/f/x' } },
    { outputs: { OUT: '/f/y', MAP: {} } },
    { outputs: { OUT: '/f/x', MAP: { a: 2 } } },
    { error: ['two', 'three'] },
    { steps: { one: 'succeeded' } },
    { steps: { two: 'failed', one: 'succeeded' } },
    { steps: { one: 'skipped', two: 'failed' } },
    { steps: { one: { status: 'succeeded', stdout: 'b' }, two: 'failed' } },
    { steps: { one: { status: 'succeeded', stderr: 'b' }, two: 'failed' } },
    { steps: { one: { status: 'succeeded', attempts: 2 }, two: 'failed' } },
    { steps: { one: 'succeeded', two: { status: 'failed', exitCode: null } } },
    { steps: { one: 'succeeded', two: { status: 'failed', signal: 'SIGKILL' } } },
    { steps: { one: 'succeeded', two: { status: 'failed', error: 'code 4' } } },
    { steps: { one: 'succeeded', two: { status: 'failed', runs: [{ status: 'failed' }] } } },
    { handlers: {} },
    { order: ['one', 'two'] },
    { order: ['one', 'never'] },
    { leaves: { made: 'other' } },
    { leaves: { never: '' } },
    { absent: ['made'] },
    { warnings: [] },
    { warnings: [{ at: '3:6', field: 'steps[0]', says: 'wrong' }] },
    { warnings: [{ at: '3:5', field: 'steps[1]', says: 'wrong' }] },
    { warnings: [{ at: '3:5', field: 'steps[0]', says: 'right' }] },
  ])('finds a difference in %j', (wrong) => {
    expect(compare({ expect: { ...conforming, ...wrong } }, ran)).toHaveLength(1);
  });

  it('compares sub-runs', () => {
    const caller = { ...ran, run: { ...run, steps: [step('call', { runs: [run] })] } };
    const expected = (status: 'failed' | 'aborted'): Expectation => ({
      status: 'failed',
      steps: { call: { status: 'succeeded', runs: [{ status }] } },
    });
    expect(compare({ expect: expected('failed') }, caller)).toEqual([]);
    expect(compare({ expect: expected('aborted') }, caller)).toHaveLength(1);
  });
});

describe('comparison of reruns', () => {
  const plan: RanResult['plan'] = {
    steps: [
      { name: 'one', action: 'keep', status: 'succeeded', reason: 'succeeded before' },
      { name: 'two', action: 'run', status: 'failed', reason: 'failed' },
    ],
    handlers: [],
  };
  const compareRetry = (expected: Partial<RunOutcome>, afterwards: RanResult['afterwards']): string[] =>
    compare(
      { expect: conforming, afterwards: [{ retry: {}, expect: { ...conforming, ...expected } }] },
      { ...ran, afterwards },
    );

  it('finds no differences when everything is as expected', () => {
    const expected = { plan: { one: 'keep', two: ['run: failed'] } };
    expect(compareRetry(expected, [{ ...ran, plan }])).toEqual([]);
  });

  it.each<Partial<RunOutcome>>([
    { plan: { one: 'run', two: 'run' } },
    { plan: { two: 'run' } },
    { plan: { two: 'run', one: 'keep' } },
    { name: 'other' },
  ])('finds %j', (expected) => {
    expect(compareRetry(expected, [{ ...ran, plan }])).toHaveLength(1);
  });

  it('finds a missing plan, another result, and a missing action', () => {
    expect(compareRetry({ plan: { one: 'keep', two: 'run' } }, [ran])).toHaveLength(1);
    expect(compareRetry({}, [{ kind: 'refused', code: 'not_found', message: '' }])).toHaveLength(1);
    expect(compareRetry({}, [])).toHaveLength(1);
  });
});

describe('comparison of a dry run', () => {
  const said: CaseResult = {
    kind: 'dry',
    view: { name: 'etl', runnable: true, ranSubstitutions: false, plans: [], findings: [] },
    exit: 0,
    paths: ran.paths,
    newFiles: { made: 'text' },
  };

  it('finds no differences when everything is as expected', () => {
    const expected = { runnable: true, plans: [], findings: [], silentOf: ['key'], leaves: { made: 'text' } };
    expect(compare({ expect: expected }, said)).toEqual([]);
  });

  it.each<DryOutcome>([
    { runnable: true },
    { runnable: true, leaves: { made: 'other' } },
    { runnable: true, leaves: { made: 'text', never: '' } },
    { runnable: true, leaves: { made: 'text' }, plans: [{}] },
    { runnable: true, leaves: { made: 'text' }, findings: [{}] },
    { runnable: true, leaves: { made: 'text' }, silentOf: ['etl'] },
  ])('finds %j', (expected) => {
    expect(compare({ expect: expected }, said)).toHaveLength(1);
    expect(compare({ expect: { ...expected, runnable: false } }, said)).toHaveLength(3);
    expect(compare({ expect: expected }, ran)).toHaveLength(1);
  });
});

describe('comparison of a rejected file', () => {
  const expected = { at: '3:5', field: 'steps[0]', says: 'wrong', cure: 'Mend' };

  it('requires the same errors of validation and start, each with its hint', () => {
    const expectation = { expect: { rejected: [expected] } };
    expect(compare(expectation, { kind: 'rejected', validation: [problem], start: [problem] })).toEqual([]);
    expect(compare(expectation, { kind: 'rejected', validation: [problem], start: [] })).toHaveLength(1);
    const elsewhere = { ...problem, file: 'other.yaml' };
    expect(
      compare(expectation, { kind: 'rejected', validation: [elsewhere], start: [problem] }),
    ).toHaveLength(1);
    const mute = { ...problem, message: 'It is wrong.' };
    expect(compare(expectation, { kind: 'rejected', validation: [mute], start: [problem] })).toHaveLength(1);
  });

  it('distinguishes kinds of results', () => {
    expect(compare({ expect: { rejected: [expected] } }, ran)).toHaveLength(1);
    expect(compare({ expect: { accepted: true } }, ran)).toHaveLength(1);
    expect(compare({ expect: { refused: { code: 'bad_request', says: '' } } }, ran)).toHaveLength(1);
    expect(compare({ expect: conforming }, { kind: 'accepted', warnings: [] })).toHaveLength(1);
  });

  it('compares the code and the message of an error', () => {
    const refused = { kind: 'refused', code: 'bad_request', message: 'No.' } as const;
    expect(compare({ expect: { refused: { code: 'bad_request', says: 'No' } } }, refused)).toEqual([]);
    expect(compare({ expect: { refused: { code: 'not_found', says: 'No' } } }, refused)).toHaveLength(1);
    expect(compare({ expect: { refused: { code: 'bad_request', says: 'Yes' } } }, refused)).toHaveLength(1);
  });

  it('expects no warnings when none are listed', () => {
    expect(compare({ expect: { accepted: true } }, { kind: 'accepted', warnings: [problem] })).toHaveLength(
      1,
    );
  });
});
