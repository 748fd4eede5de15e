import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepStatus } from '../../../../core/model/run.ts';
import { findDownstream } from '../../../../core/spec/plan/graph.ts';
import { planRerun, stepsToRun, type RerunOptions } from '../../../../core/spec/plan/rerun.ts';
import { buildStep } from '../../../harness/samples.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

type States = Record<string, StepStatus>;

/** `a <- b` means that b depends on a: `{ b: ['a'] }`. */
const workflowOf = (graph: Record<string, string[]>) => ({
  name: 'etl',
  steps: Object.entries(graph).map(([name, depends]) => buildStep(name, { depends })),
  handlers: { exit: buildStep('onExit'), init: buildStep('onInit') },
});

const line = workflowOf({ load: [], side: [], send: ['load'], report: ['send', 'side'] });
const failed: States = { load: 'succeeded', side: 'succeeded', send: 'failed', report: 'aborted' };

const plan = (states: States, options: RerunOptions = {}, workflow = line) =>
  planRerun(workflow, new Map(Object.entries(states)), options);
const told = (states: States, options: RerunOptions = {}) =>
  plan(states, options).steps.map(
    ({ name, action, status, reason }) => `${action} ${name}: ${status}, ${reason}`,
  );

describe('retrying a run', () => {
  it('runs what failed or was aborted and keeps the rest, listing every step in order', () => {
    expect(told(failed)).toEqual([
      'keep load: succeeded, already succeeded',
      'keep side: succeeded, already succeeded',
      'run send: failed, failed',
      'run report: aborted, was aborted',
    ]);
    expect(plan(failed).handlers).toEqual(['init', 'exit']);
  });

  it('runs what never ran, and everything downstream even if that succeeded', () => {
    expect(told({ load: 'skipped', side: 'partially_succeeded', report: 'succeeded' })).toEqual([
      'keep load: skipped, was skipped',
      'keep side: partially_succeeded, already partially succeeded',
      'run send: not_started, never ran',
      'run report: succeeded, depends on send, which runs again',
    ]);
  });

  it('is rejected when there is nothing to retry, with messages for the shell and the API', () => {
    const done: States = {
      load: 'succeeded',
      side: 'skipped',
      send: 'partially_succeeded',
      report: 'succeeded',
    };
    expect(() => plan(done)).toThrow(
      expect.objectContaining({
        code: 'nothing_to_retry',
        message: expect.stringMatching(
          /Nothing to retry: all steps of etl succeeded or were skipped\. Specify a step\.$/,
        ),
        details: undefined,
      }),
    );
  });
});

describe('retrying a step', () => {
  const done: States = { load: 'succeeded', side: 'succeeded', send: 'succeeded', report: 'succeeded' };

  it('runs that step alone, whatever its result was', () => {
    expect(stepsToRun(plan(done, { step: 'send' }))).toEqual(['send']);
    expect(told(failed, { step: 'load' })).toEqual([
      'run load: succeeded, requested',
      'keep side: succeeded, already succeeded',
      'keep send: failed, failed; kept',
      'keep report: aborted, was aborted; kept',
    ]);
  });

  it('runs its dependents, too, on request', () => {
    expect(told(done, { step: 'send', downstream: true })).toEqual([
      'keep load: succeeded, already succeeded',
      'keep side: succeeded, already succeeded',
      'run send: succeeded, requested',
      'run report: succeeded, depends on send, which runs again',
    ]);
  });

  it('with its downstream also runs what never ran, and warns of dependents of a remaining failure', () => {
    expect(
      told(
        { load: 'succeeded', side: 'failed', send: 'succeeded', report: 'aborted' },
        { step: 'load', downstream: true },
      ),
    ).toEqual([
      'run load: succeeded, requested',
      'keep side: failed, failed; kept',
      'run send: succeeded, depends on load, which runs again',
      'run report: aborted, depends on send, which runs again; but side remains failed',
    ]);
    expect(stepsToRun(plan({ load: 'succeeded' }, { step: 'load', downstream: true }))).toEqual([
      'load',
      'side',
      'send',
      'report',
    ]);
  });

  it('rejects an unknown name, with the nearest one', () => {
    expect(() => plan(done, { step: 'sennd' })).toThrow(
      expect.objectContaining({
        code: 'not_found',
        message: 'etl has no step "sennd". Did you mean "send"?',
        details: { nearest: 'send' },
      }),
    );
    expect(() => plan(done, { step: 'x'.repeat(50) })).toThrow(
      expect.objectContaining({ details: undefined }),
    );
  });

  it('rejects a downstream without a step', () => {
    expect(() => plan(failed, { downstream: true })).toThrow(
      expect.objectContaining({ code: 'bad_request' }),
    );
  });
});

it('never keeps a step below one that runs, unless only one step is retried', () => {
  const status = fc.constantFrom<StepStatus>('succeeded', 'failed', 'aborted', 'skipped', 'not_started');
  const steps = fc.array(fc.record({ status, depends: fc.subarray([1, 2, 3]) }), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(steps, fc.option(fc.nat()), (drawn, chosen) => {
      // Each step depends on some of the three before it, so there is no cycle.
      const graph = drawn.map(({ depends }, index): [string, string[]] => [
        `s${index}`,
        depends.filter((back) => back <= index).map((back) => `s${index - back}`),
      ]);
      const workflow = workflowOf(Object.fromEntries(graph));
      const states = Object.fromEntries(
        drawn.map(({ status: drawnStatus }, index) => [`s${index}`, drawnStatus]),
      );
      const options = chosen === null ? {} : { step: `s${chosen % drawn.length}`, downstream: true };
      const isDone = drawn.every(({ status: end }) => end === 'succeeded' || end === 'skipped');
      if (chosen === null && isDone) {
        expect(() => plan(states, options, workflow)).toThrow(
          expect.objectContaining({ code: 'nothing_to_retry' }),
        );
        return;
      }
      const result = plan(states, options, workflow);
      const again = new Set(stepsToRun(result));
      expect(result.steps.map(({ name }) => name)).toEqual(workflow.steps.map(({ name }) => name));
      for (const name of findDownstream(workflow.steps, again)) expect(again).toContain(name);
      for (const [name, end] of Object.entries(states)) {
        if (end === 'not_started') expect(again).toContain(name);
        if (chosen === null && end === 'failed') expect(again).toContain(name);
      }
    }),
    { seed: 20_253, numRuns: propertyRuns(300) },
  );
});
