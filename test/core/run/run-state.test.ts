import { describe, expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import type { Step } from '../../../core/model/step.ts';
import {
  endsEarly,
  initialState,
  transition,
  type EarlyEnd,
  type Runners,
  type RunState,
  type RunStateEvent,
} from '../../../core/run/run-state.ts';

const runner = { stop() {}, kill() {}, abandon() {} };
const runners: Runners = { steps: runner, handlers: runner };
const stopped = { cause: 'stopped', error: 'stopped by ada' } as const;
const timedOut = { cause: 'timeout', error: 'timed out after 5 s' } as const;
const unmet = { cause: 'preconditions', error: 'exit code 1' } as const;
const failure = new AppError('internal_error', 'broken');

const afterStop: EarlyEnd = { reason: stopped, scope: 'steps' };
const afterTimeout: EarlyEnd = { reason: timedOut, scope: 'untimed_steps' };
const afterKill: EarlyEnd = { reason: { cause: 'stopped', error: 'killed' }, scope: 'everything' };

const states = {
  preparing: { phase: 'preparing' },
  unprepared: { phase: 'unprepared', earlyEnd: { reason: unmet, scope: 'steps' } },
  running: { phase: 'running', runners },
  'running, stopped': { phase: 'running', runners, earlyEnd: afterStop },
  'running, timed out': { phase: 'running', runners, earlyEnd: afterTimeout },
  'running, killed': { phase: 'running', runners, earlyEnd: afterKill },
  closing: { phase: 'closing', runners },
  'closing, handler failed': { phase: 'closing', runners, handlerFailure: 'first' },
  finishing: { phase: 'finishing' },
  finished: { phase: 'finished' },
  released: { phase: 'released', failure },
} satisfies Record<string, RunState>;

const events = {
  prepared: { type: 'prepared', runners },
  preparation_failed: { type: 'preparation_failed', reason: unmet },
  steps_ended: { type: 'steps_ended' },
  handler_failed: { type: 'handler_failed', error: 'second' },
  work_ended: { type: 'work_ended' },
  recorded: { type: 'recorded' },
  stop: { type: 'end_early', reason: stopped },
  timeout: { type: 'end_early', reason: timedOut },
  unmet: { type: 'end_early', reason: unmet },
  kill: { type: 'kill' },
  released: { type: 'released', failure },
} satisfies Record<string, RunStateEvent>;

type StateName = keyof typeof states;
type EventName = keyof typeof events;

/** The events that apply to each state, and the states after them; a pair that is not here is ignored. */
const allowed: Readonly<Record<StateName, Partial<Record<EventName, RunState>>>> = {
  preparing: {
    prepared: { phase: 'running', runners },
    preparation_failed: { phase: 'unprepared', earlyEnd: { reason: unmet, scope: 'steps' } },
    stop: { phase: 'preparing', earlyEnd: afterStop },
    timeout: { phase: 'preparing', earlyEnd: afterTimeout },
    unmet: { phase: 'preparing', earlyEnd: { reason: unmet, scope: 'steps' } },
    kill: { phase: 'preparing', earlyEnd: afterKill },
    released: states.released,
  },
  unprepared: {
    work_ended: states.finishing,
    stop: states.unprepared,
    kill: { phase: 'unprepared', earlyEnd: { reason: unmet, scope: 'everything' } },
    released: states.released,
  },
  running: {
    steps_ended: states.closing,
    stop: states['running, stopped'],
    timeout: states['running, timed out'],
    unmet: { ...states.running, earlyEnd: { reason: unmet, scope: 'steps' } },
    kill: states['running, killed'],
    released: states.released,
  },
  'running, stopped': {
    steps_ended: { ...states.closing, earlyEnd: afterStop },
    stop: states['running, stopped'],
    kill: { ...states.running, earlyEnd: { reason: stopped, scope: 'everything' } },
    released: states.released,
  },
  'running, timed out': {
    steps_ended: { ...states.closing, earlyEnd: afterTimeout },
    stop: { ...states.running, earlyEnd: { reason: timedOut, scope: 'steps' } },
    kill: { ...states.running, earlyEnd: { reason: timedOut, scope: 'everything' } },
    released: states.released,
  },
  'running, killed': {
    steps_ended: { ...states.closing, earlyEnd: afterKill },
    kill: states['running, killed'],
    released: states.released,
  },
  closing: {
    handler_failed: { ...states.closing, handlerFailure: 'second' },
    work_ended: states.finishing,
    stop: { ...states.closing, earlyEnd: afterStop },
    timeout: { ...states.closing, earlyEnd: afterTimeout },
    unmet: { ...states.closing, earlyEnd: { reason: unmet, scope: 'steps' } },
    kill: { ...states.closing, earlyEnd: afterKill },
    released: states.released,
  },
  'closing, handler failed': {
    work_ended: states.finishing,
    stop: { ...states['closing, handler failed'], earlyEnd: afterStop },
    timeout: { ...states['closing, handler failed'], earlyEnd: afterTimeout },
    unmet: { ...states['closing, handler failed'], earlyEnd: { reason: unmet, scope: 'steps' } },
    kill: { ...states['closing, handler failed'], earlyEnd: afterKill },
    released: states.released,
  },
  finishing: { recorded: states.finished, released: states.released },
  finished: {},
  released: {},
};

describe.each(Object.keys(states) as StateName[])('a run that is %s', (state) => {
  test.each(Object.keys(events) as EventName[])('%s', (event) => {
    const after = transition(states[state], events[event]);
    expect(after).toEqual(allowed[state][event]);
  });
});

test('a run that another host has ended early keeps the reason', () => {
  expect(initialState(undefined)).toEqual({ phase: 'preparing' });
  const recovered = initialState(timedOut);
  expect(recovered).toEqual({ phase: 'preparing', earlyEnd: afterTimeout });
  expect(transition(recovered, events.prepared)).toEqual(states['running, timed out']);
  expect(transition(recovered, events.preparation_failed)).toEqual({
    phase: 'unprepared',
    earlyEnd: afterTimeout,
  });
});

test('the scope of an early end decides which steps it ends', () => {
  const [timed, untimed] = [{ timeoutSec: 60 }, {}] as [Step, Step];
  const ended = (state: StateName) => [timed, untimed].map((step) => endsEarly(states[state], step));
  expect(ended('running')).toEqual([false, false]);
  expect(ended('running, timed out')).toEqual([false, true]);
  expect(ended('running, stopped')).toEqual([true, true]);
  expect(ended('running, killed')).toEqual([true, true]);
  expect(ended('released')).toEqual([false, false]);
});
