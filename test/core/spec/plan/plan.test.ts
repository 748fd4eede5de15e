import { describe, expect, it } from 'vitest';
import type { Step } from '../../../../core/model/step.ts';
import { Plan, type StepOutcome } from '../../../../core/spec/plan/plan.ts';
import { buildContinueOn, buildStep } from '../../../harness/samples.ts';

const succeeded: StepOutcome = { status: 'succeeded', tolerated: false };
const failed: StepOutcome = { status: 'failed', tolerated: false };
const skipped: StepOutcome = { status: 'skipped', tolerated: false };

/** `'b: a'` is step b, which depends on a. */
function buildSteps(...texts: string[]): Step[] {
  return texts.map((text) => {
    const [name = '', depends = ''] = text.split(/:\s*/);
    return buildStep(name, { depends: depends.split(' ').filter((one) => one !== '') });
  });
}

const makePlan = (steps: Step[], maxActiveSteps = 0): Plan => new Plan(steps, { maxActiveSteps });
const readyNames = (plan: Plan): string[] => plan.ready().map(({ name }) => name);

function run(plan: Plan, name: string, end: StepOutcome) {
  plan.start(name);
  return plan.finish(name, end);
}

describe('ready steps', () => {
  it('are offered in file order, until they are started', () => {
    const plan = makePlan(buildSteps('c', 'a: c', 'b'));
    expect(readyNames(plan)).toEqual(['c', 'b']);
    expect(readyNames(plan)).toEqual(['c', 'b']);
    plan.start('c');
    expect(readyNames(plan)).toEqual(['b']);
  });

  it('are offered when their last dependency has ended', () => {
    const plan = makePlan(buildSteps('a', 'b', 'join: a b'));
    run(plan, 'a', succeeded);
    expect(readyNames(plan)).toEqual(['b']);
    run(plan, 'b', { status: 'partially_succeeded', tolerated: false });
    expect(readyNames(plan)).toEqual(['join']);
  });

  it('respect the limit', () => {
    const plan = makePlan(buildSteps('a', 'b', 'c'), 2);
    expect(readyNames(plan)).toEqual(['a', 'b']);
    plan.start('b');
    expect(readyNames(plan)).toEqual(['a']);
    plan.start('a');
    expect(readyNames(plan)).toEqual([]);
    plan.finish('b', succeeded);
    expect(readyNames(plan)).toEqual(['c']);
  });

  it('are at most as many as requested', () => {
    expect(makePlan(buildSteps('a', 'b', 'c')).ready(2)).toHaveLength(2);
  });

  it('are the only ones that can be started', () => {
    const plan = makePlan(buildSteps('a', 'b: a'));
    expect(() => plan.start('b')).toThrow('"b"');
    plan.start('a');
    expect(() => plan.start('a')).toThrow('running');
    expect(() => plan.start('nobody')).toThrow('nobody');
    expect(() => plan.finish('b', failed)).not.toThrow();
    expect(() => plan.finish('b', failed)).toThrow('failed');
  });
});

describe('effects of a result', () => {
  it('aborts what depends on a failed step, while independent branches continue', () => {
    const plan = makePlan(buildSteps('a', 'b: a', 'c: b', 'other', 'after: other'));
    const reason = 'upstream failed: step "a" failed';
    expect(run(plan, 'a', failed)).toEqual([
      { name: 'b', status: 'aborted', reason },
      { name: 'c', status: 'aborted', reason },
    ]);
    run(plan, 'other', succeeded);
    expect(readyNames(plan)).toEqual(['after']);
    run(plan, 'after', succeeded);
    expect(plan.done).toBe(true);
    expect(Object.fromEntries(plan.states())).toEqual({
      a: 'failed',
      b: 'aborted',
      c: 'aborted',
      other: 'succeeded',
      after: 'succeeded',
    });
  });

  it('continues dependents of a tolerated failure', () => {
    const plan = makePlan(buildSteps('a', 'b: a'));
    expect(run(plan, 'a', { status: 'failed', tolerated: true })).toEqual([]);
    expect(readyNames(plan)).toEqual(['b']);
  });

  it('skips what depends on a skipped step', () => {
    const plan = makePlan(buildSteps('a', 'b: a', 'c: b'));
    const settled = plan.finish('a', skipped);
    expect(settled.map(({ name, status }) => `${name} ${status}`)).toEqual(['b skipped', 'c skipped']);
    expect(settled[1]!.reason).toBe('upstream skipped: step "a" was skipped');
    expect(plan.done).toBe(true);
  });

  it('continues after a step skipped by its upstream that tolerates being skipped', () => {
    const steps = buildSteps('a', 'b: a', 'c: b');
    steps[1] = { ...steps[1]!, continueOn: buildContinueOn({ skipped: true }) };
    const plan = makePlan(steps);
    expect(plan.finish('a', skipped).map(({ name }) => name)).toEqual(['b']);
    expect(readyNames(plan)).toEqual(['c']);
  });

  it('aborts after an aborted step, with that reason', () => {
    const plan = makePlan(buildSteps('a', 'b: a'));
    expect(run(plan, 'a', { status: 'aborted', tolerated: false })).toEqual([
      { name: 'b', status: 'aborted', reason: 'upstream aborted: step "a" was aborted' },
    ]);
  });

  it.each([['a', 'b'] as const, ['b', 'a'] as const])(
    'aborts after a skipped and a failed step, %s first',
    (first, second) => {
      const plan = makePlan(buildSteps('a', 'b', 'join: a b'));
      const ends = { a: skipped, b: failed };
      plan.start('a');
      plan.start('b');
      const settled = [...plan.finish(first, ends[first]), ...plan.finish(second, ends[second])];
      expect(settled).toEqual([
        { name: 'join', status: 'aborted', reason: 'upstream failed: step "b" failed' },
      ]);
    },
  );

  it('skips when the last dependency has ended', () => {
    const plan = makePlan(buildSteps('a', 'b', 'join: a b'));
    expect(plan.finish('a', skipped)).toEqual([]);
    expect(run(plan, 'b', succeeded).map(({ status }) => status)).toEqual(['skipped']);
  });

  it('decides for a step once, by the first of its dependencies', () => {
    const plan = makePlan(buildSteps('a', 'b', 'join: a b'));
    expect(run(plan, 'a', failed)).toHaveLength(1);
    expect(run(plan, 'b', failed)).toEqual([]);
    expect(plan.done).toBe(true);
  });
});

describe('ending early', () => {
  it('starts nothing after a cancel and leaves the rest not started', () => {
    const plan = makePlan(buildSteps('a', 'b: a', 'c'));
    plan.start('a');
    plan.cancel();
    expect(plan.ready()).toEqual([]);
    expect(plan.done).toBe(false);
    expect(plan.finish('a', { status: 'aborted', tolerated: false })).toEqual([]);
    expect(plan.done).toBe(true);
    expect(plan.states().get('b')).toBe('not_started');
  });

  it('aborts steps that have not started on timeout, and waits for running ones', () => {
    const plan = makePlan(buildSteps('a', 'b: a', 'c'));
    plan.start('a');
    expect(plan.abortPending('timed out')).toEqual([
      { name: 'b', status: 'aborted', reason: 'timed out' },
      { name: 'c', status: 'aborted', reason: 'timed out' },
    ]);
    expect(plan.done).toBe(false);
    expect(plan.running).toBe(1);
    expect(plan.finish('a', { status: 'aborted', tolerated: false })).toEqual([]);
    expect(plan.done).toBe(true);
  });

  it('is immediate without steps', () => {
    expect(makePlan([]).done).toBe(true);
  });
});

describe('recovery', () => {
  it('continues from finished steps and decides what a crash left undecided', () => {
    const steps = buildSteps('a', 'b: a', 'x', 'y: x', 'z: y');
    const settled = new Map([
      ['a', succeeded],
      ['x', failed],
      ['y', { status: 'aborted', tolerated: false } as const],
    ]);
    const plan = new Plan(steps, { maxActiveSteps: 0, settled });
    expect(plan.decided.map(({ name }) => name)).toEqual(['z']);
    expect(readyNames(plan)).toEqual(['b']);
    run(plan, 'b', succeeded);
    expect(plan.done).toBe(true);
  });

  it('keeps the recorded result of a step where its upstream would decide otherwise', () => {
    const settled = new Map([
      ['a', failed],
      ['b', succeeded],
    ]);
    const plan = new Plan(buildSteps('a', 'b: a', 'c: b'), { maxActiveSteps: 0, settled });
    expect(plan.decided).toEqual([]);
    expect(readyNames(plan)).toEqual(['c']);
  });
});

describe('invalid graphs', () => {
  it('rejects a cycle with its path', () => {
    expect(() => makePlan(buildSteps('a: b', 'b: a'))).toThrow('a -> b -> a');
  });

  it('rejects an unknown dependency', () => {
    expect(() => makePlan(buildSteps('a: nobody'))).toThrow('step "a" depends on unknown step "nobody"');
  });
});
