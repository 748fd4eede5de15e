import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFinal } from '../../../../core/model/run.ts';
import type { Step } from '../../../../core/model/step.ts';
import { findDownstream } from '../../../../core/spec/plan/graph.ts';
import { Plan, type DecidedStep, type StepOutcome } from '../../../../core/spec/plan/plan.ts';
import { buildContinueOn, buildStep } from '../../../harness/samples.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const ends: StepOutcome[] = [
  { status: 'succeeded', tolerated: false },
  { status: 'partially_succeeded', tolerated: false },
  { status: 'failed', tolerated: false },
  { status: 'failed', tolerated: true },
  { status: 'skipped', tolerated: false },
  { status: 'skipped', tolerated: true },
  { status: 'aborted', tolerated: false },
];

/** A DAG in shuffled file order, an outcome for each step, and numbers that choose which step ends next. */
interface Scenario {
  readonly steps: readonly Step[];
  readonly outcomes: ReadonlyMap<string, StepOutcome>;
  readonly choices: readonly number[];
  readonly limit: number;
}

const scenarios: fc.Arbitrary<Scenario> = fc
  .integer({ min: 0, max: 14 })
  .chain((size) =>
    fc.record({
      edges: fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: size, maxLength: size }),
      order: fc.shuffledSubarray(
        Array.from({ length: size }, (_, index) => index),
        { minLength: size },
      ),
      outcomes: fc.array(fc.constantFrom(...ends), { minLength: size, maxLength: size }),
      tolerant: fc.array(fc.boolean(), { minLength: size, maxLength: size }),
      choices: fc.array(fc.nat(), { minLength: 2 * size, maxLength: 2 * size }),
      limit: fc.integer({ min: 0, max: 4 }),
    }),
  )
  .map(({ edges, order, outcomes, tolerant, choices, limit }) => {
    const steps = order.map((index) => {
      // Only on earlier ones: no cycle, whatever the numbers are.
      const depends = index === 0 ? [] : [...new Set(edges[index]!.map((edge) => `s${edge % index}`))];
      return buildStep(`s${index}`, { depends, continueOn: buildContinueOn({ skipped: tolerant[index]! }) });
    });
    return { steps, outcomes: new Map(outcomes.map((end, index) => [`s${index}`, end])), choices, limit };
  });

/** Drives a plan to its end and checks the rules at every step. */
function drive({ steps, outcomes, choices, limit }: Scenario): {
  plan: Plan;
  order: string[];
  settled: DecidedStep[];
} {
  const plan = new Plan(steps, { maxActiveSteps: limit });
  const running: string[] = [];
  const order: string[] = [];
  const settled: DecidedStep[] = [];
  for (const choice of choices) {
    const ready = plan.ready();
    for (const { name, depends } of ready) {
      expect(depends.map((one) => plan.states().get(one)!).every(isFinal)).toBe(true);
      plan.start(name);
      running.push(name);
    }
    expect(plan.ready()).toEqual([]);
    expect(plan.running).toBe(running.length);
    if (limit > 0) expect(running.length).toBeLessThanOrEqual(limit);
    if (running.length === 0) break;
    const [name] = running.splice(choice % running.length, 1);
    order.push(name!);
    settled.push(...plan.finish(name!, outcomes.get(name!)!));
  }
  return { plan, order, settled };
}

const passes = ({ status, tolerated }: StepOutcome): boolean =>
  tolerated || status === 'succeeded' || status === 'partially_succeeded';

const options = { seed: 4002, numRuns: propertyRuns(400) };

describe('a plan over any graph, with any outcomes, in any order', () => {
  it('ends, forgets no step, and finishes each exactly once', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const { plan, order, settled } = drive(scenario);
        expect(plan.done).toBe(true);
        const all = [...order, ...settled.map(({ name }) => name)];
        expect(all.toSorted()).toEqual(scenario.steps.map(({ name }) => name).toSorted());
        expect([...plan.states().values()].every(isFinal)).toBe(true);
      }),
      options,
    );
  });

  it('runs a step exactly when all its dependencies allow it', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const { order, settled } = drive(scenario);
        const ran = new Set(order);
        const derived = new Map(settled.map((one) => [one.name, one.status]));
        for (const { name, depends } of scenario.steps) {
          const pass = depends.every((one) => {
            const end = ran.has(one)
              ? scenario.outcomes.get(one)!
              : deriveEnd(scenario, one, derived.get(one)!);
            return passes(end);
          });
          expect(ran.has(name)).toBe(pass);
        }
      }),
      options,
    );
  });

  it('decides only for steps downstream of the one that ended', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const { settled } = drive(scenario);
        for (const { name, reason } of settled) {
          const cause = /step "(.*)"/.exec(reason)![1]!;
          expect(findDownstream(scenario.steps, [cause])).toContain(name);
        }
      }),
      options,
    );
  });

  it('resumes from any point as if it had never stopped', () => {
    fc.assert(
      fc.property(scenarios, fc.nat(), (scenario, cut) => {
        const whole = drive(scenario);
        const kept = whole.order.slice(0, whole.order.length === 0 ? 0 : cut % (whole.order.length + 1));
        const settled = new Map(kept.map((name) => [name, scenario.outcomes.get(name)!]));
        const plan = new Plan(scenario.steps, { maxActiveSteps: 0, settled });
        for (let ready = plan.ready(); ready.length > 0; ready = plan.ready()) {
          plan.start(ready[0]!.name);
          plan.finish(ready[0]!.name, scenario.outcomes.get(ready[0]!.name)!);
        }
        expect(plan.done).toBe(true);
        expect([...plan.states()]).toEqual([...whole.plan.states()]);
      }),
      options,
    );
  });
});

/** Result of a step that did not run: skipped ones are tolerated by their own `continueOn`. */
function deriveEnd({ steps }: Scenario, name: string, status: DecidedStep['status']): StepOutcome {
  const { continueOn } = steps.find((one) => one.name === name)!;
  return { status, tolerated: status === 'skipped' && continueOn.skipped };
}

describe('ten thousand steps', () => {
  const size = 10_000;
  const wide = Array.from({ length: size }, (_, index) => buildStep(`s${index}`));
  const chain = wide.map((step, index) => (index === 0 ? step : { ...step, depends: [`s${index - 1}`] }));

  it.each([
    { shape: 'wide, without a limit', steps: wide, limit: 0, offers: size },
    { shape: 'wide, eight at a time', steps: wide, limit: 8, offers: size },
    { shape: 'in a chain', steps: chain, limit: 8, offers: size },
  ])('$shape: each is offered once when started at once', ({ steps, limit, offers }) => {
    const plan = new Plan(steps, { maxActiveSteps: limit });
    const running: string[] = [];
    let offered = 0;
    do {
      for (const { name } of plan.ready()) {
        offered += 1;
        plan.start(name);
        running.push(name);
      }
      plan.finish(running.pop()!, { status: 'succeeded', tolerated: false });
    } while (!plan.done);
    expect(offered).toBe(offers);
  });

  it('aborts a chain of them without recursion', () => {
    const plan = new Plan(chain, { maxActiveSteps: 0 });
    expect(plan.finish('s0', { status: 'failed', tolerated: false })).toHaveLength(size - 1);
  });
});
