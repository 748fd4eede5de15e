import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NodeId, RunEvent } from '../../../../core/model/run-event.ts';
import { describeOnStores } from '../../../harness/databases.ts';
import { createOwnedRun, openTestStore } from '../store-harness.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

type Attempt = {
  attempt: number;
  open: boolean;
  pid?: number;
  exitCode?: number;
  items?: Record<string, string>;
};
type Step = { status: string; attempts: Attempt[]; subRuns: string[] };
type Run = { status: string; stopRequestedBy?: string; steps: Record<string, Step>; eventCount: number };

/** The rules of a run in a few lines, over plain objects; undefined when the event is not allowed. */
function reduce(run: Run, event: RunEvent): Run | undefined {
  const next = structuredClone(run);
  next.eventCount += 1;
  if (!['not_started', 'running'].includes(run.status)) return undefined;
  switch (event.type) {
    case 'run.created':
    case 'run.retried':
      return undefined;
    case 'run.started':
      return { ...next, status: 'running' };
    case 'run.stop_requested':
      return { ...next, stopRequestedBy: run.stopRequestedBy ?? event.by };
    case 'run.finished':
      return event.status === 'running' ? undefined : { ...next, status: event.status };
    case 'run.recovered':
    case 'run.note_changed':
      return undefined;
    case 'run.message':
    case 'run.terminating':
    case 'run.notification':
      return next;
    default:
      return reduceStep(next, event) ? next : undefined;
  }
}

function reduceStep(run: Run, event: Extract<RunEvent, { type: `step.${string}` }>): boolean {
  const key = `${event.node.section}/${event.node.name}`;
  const step = (run.steps[key] ??= { status: 'not_started', attempts: [], subRuns: [] });
  const last = step.attempts.at(-1);
  const isCurrent = 'attempt' in event && last?.open === true && last.attempt === event.attempt;
  if (event.type === 'step.started') {
    if (!['not_started', 'running'].includes(step.status) || last?.open) return false;
    if (event.attempt <= (last?.attempt ?? 0)) return false;
    step.status = 'running';
    step.attempts.push({ attempt: event.attempt, open: true });
    return true;
  }
  if (event.type === 'step.ended') return settle(step, event.status);
  if (step.status !== 'running') return false;
  if (event.type === 'step.sub_run') {
    step.subRuns = [...new Set([...step.subRuns, event.dagRunId])];
    return true;
  }
  if (isRemark(event)) return isCurrent;
  if (!isCurrent || !reduceAttempt(last, event)) return false;
  if (event.type === 'step.finished') step.status = event.status;
  return true;
}

function settle(step: Step, status: string): boolean {
  if (!['not_started', 'running'].includes(step.status)) return false;
  for (const attempt of step.attempts.filter(({ open }) => open)) endAttempt(attempt);
  step.status = status;
  return true;
}

type StepEvent = Extract<RunEvent, { type: `step.${string}` }>;
const remarks = [
  'step.waiting',
  'step.dispatched',
  'step.approval_requested',
  'step.approval_resolved',
] as const;
type Remark = Extract<RunEvent, { type: (typeof remarks)[number] }>;
const isRemark = (event: StepEvent): event is Remark => remarks.some((type) => type === event.type);

type AttemptEvent = Exclude<
  StepEvent,
  Remark | { type: 'step.started' | 'step.ended' | 'step.sub_run' | 'step.status_set' }
>;

function reduceAttempt(last: Attempt, event: AttemptEvent): boolean {
  if (event.type === 'step.item_started' || event.type === 'step.item_finished')
    return reduceItem(last, event);
  if (event.type === 'step.spawned') last.pid = event.pid;
  else endAttempt(last, event.exitCode);
  return true;
}

function endAttempt(last: Attempt, exitCode?: number): void {
  Object.assign(last, { open: false, exitCode });
  for (const [item, status] of Object.entries(last.items ?? {}))
    if (status === 'running') last.items![item] = 'aborted';
}

function reduceItem(
  last: Attempt,
  event: Extract<RunEvent, { type: 'step.item_started' | 'step.item_finished' }>,
): boolean {
  const before = last.items?.[event.item];
  const isStart = event.type === 'step.item_started';
  if (before !== (isStart ? undefined : 'running')) return false;
  last.items = { ...last.items, [event.item]: isStart ? 'running' : event.status };
  return true;
}

const node: fc.Arbitrary<NodeId> = fc.record({
  section: fc.constantFrom('step', 'handler'),
  name: fc.constantFrom('a', 'b'),
});
const attempt = fc.integer({ min: 1, max: 3 });
const itemNumber = fc.integer({ min: 1, max: 2 });
const exitCode = fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined });
const stepStatus = fc.constantFrom('succeeded', 'partially_succeeded', 'failed', 'aborted');

const event: fc.Arbitrary<RunEvent> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('step.started'), node, attempt, dir: fc.constant('d') }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('step.spawned'),
      node,
      attempt,
      pid: fc.nat(),
      pidStart: fc.constant('1'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('step.retry_scheduled'),
      node,
      attempt,
      dueAt: fc.constant(0),
      exitCode,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('step.item_started'),
      node,
      attempt,
      item: itemNumber,
      value: fc.string(),
      dir: fc.constant('d'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('step.item_finished'),
      node,
      attempt,
      item: itemNumber,
      status: stepStatus,
      exitCode,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('step.finished'), node, attempt, status: stepStatus, exitCode }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('step.ended'),
      node,
      status: fc.constantFrom('skipped', 'aborted', 'failed'),
      reason: fc.constant('because'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('step.sub_run'),
      node,
      name: fc.constant('child'),
      dagRunId: fc.constantFrom('1', '2'),
    }),
  },
  fc.record({ type: fc.constant('run.started'), logDir: fc.constant('l') }),
  fc.record({ type: fc.constant('run.stop_requested'), by: fc.constantFrom('anna', 'ben') }),
  fc.record({ type: fc.constant('run.message'), level: fc.constant('info'), message: fc.string() }),
  fc.record({
    type: fc.constant('run.finished'),
    status: fc.constantFrom('succeeded', 'failed', 'running'),
    outputs: fc.constant({}),
  }),
);

describeOnStores('append', () => {
  it('turns any sequence of batches into the state that the rules define', async () => {
    const store = openTestStore();
    const batches = fc.array(fc.array(event, { minLength: 1, maxLength: 3 }), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(batches, async (sequence) => {
        const { run, write } = await createOwnedRun(store);
        let expected: Run = { status: 'not_started', steps: {}, eventCount: 1 };
        for (const batch of sequence) {
          const next = batch.reduce<Run | undefined>((state, item) => state && reduce(state, item), expected);
          expect((await write(batch)).outcome).toBe(next === undefined ? 'illegal' : 'written');
          expected = next ?? expected;
        }
        const detail = (await store.getDetail(run))!;
        const listItems = async (of: NodeId, number: number): Promise<Attempt['items']> => {
          const items = await store.listItems(run, { node: of, attempt: number, limit: 10 });
          if (items.length === 0) return undefined;
          return Object.fromEntries(items.map((each) => [each.item, each.status]));
        };
        const steps = detail.steps.map(async (step): Promise<[string, Step]> => [
          `${step.node.section}/${step.node.name}`,
          {
            status: step.status,
            attempts: await Promise.all(
              step.attempts.map(async (item) => ({
                attempt: item.attempt,
                open: item.finishedAt === undefined,
                pid: item.pid,
                exitCode: item.exitCode,
                items: await listItems(step.node, item.attempt),
              })),
            ),
            subRuns: step.subRuns.map(({ dagRunId }) => dagRunId),
          },
        ]);
        expect({
          status: detail.run.status,
          stopRequestedBy: detail.run.stopRequestedBy,
          steps: Object.fromEntries(await Promise.all(steps)),
          eventCount: (await store.listEvents(0, 1000, run)).length,
        }).toEqual(expected);
      }),
      { seed: 20_251, numRuns: propertyRuns(300) },
    );
  });
});
