import { describe, expect, test } from 'vitest';
import type { RunningStep } from '../../../../core/executors/executor.ts';
import type { Step } from '../../../../core/model/step.ts';
import {
  AttemptTerminator,
  transition,
  type AttemptEvent,
  type AttemptState,
} from '../../../../core/run/steps/attempt-terminator.ts';
import { FakeClock } from '../../../harness/fakes.ts';

const action: RunningStep = { ended: Promise.resolve({}), stop() {}, kill() {} };

const states = {
  preparing: { phase: 'preparing' },
  running: { phase: 'running', action },
  draining: { phase: 'draining', action },
  stopped: { phase: 'ending', cause: 'abort', how: 'stop', action },
  killed: { phase: 'ending', cause: 'abort', how: 'kill', action },
  'timed out': { phase: 'ending', cause: 'timeout', how: 'stop', action },
  'stopped before its start': { phase: 'ending', cause: 'abort', how: 'stop', action: undefined },
} satisfies Record<string, AttemptState>;

const events = {
  started: { type: 'started', action },
  stop: { type: 'stop', isRepeating: false },
  'stop of a repeating step': { type: 'stop', isRepeating: true },
  kill: { type: 'kill' },
  timeout: { type: 'timeout' },
  grace_over: { type: 'grace_over' },
} satisfies Record<string, AttemptEvent>;

type StateName = keyof typeof states;
type EventName = keyof typeof events;

/** The events that apply to each state, and the states after them; a pair that is not here is ignored. */
const allowed: Readonly<Record<StateName, Partial<Record<EventName, AttemptState>>>> = {
  preparing: {
    started: states.running,
    stop: states['stopped before its start'],
    'stop of a repeating step': states['stopped before its start'],
    kill: { ...states['stopped before its start'], how: 'kill' },
    timeout: { ...states['stopped before its start'], cause: 'timeout' },
  },
  running: {
    stop: states.stopped,
    'stop of a repeating step': states.draining,
    kill: states.killed,
    timeout: states['timed out'],
  },
  draining: { kill: states.killed, timeout: states['timed out'], grace_over: states.stopped },
  stopped: { stop: states.stopped, 'stop of a repeating step': states.stopped, kill: states.killed },
  killed: { kill: states.killed },
  'timed out': {
    stop: states['timed out'],
    'stop of a repeating step': states['timed out'],
    kill: { ...states['timed out'], how: 'kill' },
  },
  'stopped before its start': {
    started: states.stopped,
    stop: states['stopped before its start'],
    'stop of a repeating step': states['stopped before its start'],
    kill: { ...states['stopped before its start'], how: 'kill' },
  },
};

describe.each(Object.keys(states) as StateName[])('an attempt that is %s', (state) => {
  test.each(Object.keys(events) as EventName[])('%s', (event) => {
    expect(transition(states[state], events[event])).toEqual(allowed[state][event]);
  });
});

function openTerminator(step: Partial<Step>) {
  const clock = new FakeClock();
  const calls: string[] = [];
  const running: RunningStep = {
    ended: Promise.resolve({}),
    stop: () => void calls.push('stop'),
    kill: () => void calls.push('kill'),
  };
  const context = {
    clock,
    stopping: AbortSignal.abort('the run was stopped'),
    workflow: { maxCleanUpTimeSec: 5, maxOutputSize: 0, registryAuths: undefined },
  } as never;
  return { clock, calls, running, terminator: new AttemptTerminator(context, step as Step, clock.now()) };
}

test('an attempt that is stopped before its action starts ends the action at once', () => {
  const { calls, running, terminator } = openTerminator({});
  terminator.end('stop');
  expect(terminator.signal.aborted).toBe(true);
  void terminator.awaitEnd(running);
  expect(calls).toEqual(['stop']);
});

test('a repeating step has the clean-up time of the workflow to end by itself', () => {
  const { clock, calls, running, terminator } = openTerminator({
    repeat: { mode: 'while' } as Step['repeat'],
  });
  void terminator.awaitEnd(running);
  terminator.end('stop');
  terminator.end('stop');
  clock.advance(4999);
  expect([terminator.isEnding, calls]).toEqual([false, []]);
  clock.advance(1);
  expect([terminator.isEnding, calls]).toEqual([true, ['stop']]);
});

test('the first cause explains the end, and a disposed attempt never times out', () => {
  const first = openTerminator({ timeoutSec: 2 });
  void first.terminator.awaitEnd(first.running);
  first.clock.advance(2000);
  first.terminator.end('kill');
  expect(first.calls).toEqual(['stop', 'kill']);
  expect(first.terminator.explain({})).toEqual({
    cause: 'timeout',
    exitCode: 124,
    error: 'step timed out after 2 s',
  });
  const second = openTerminator({ timeoutSec: 2 });
  second.terminator.dispose();
  second.clock.advance(2000);
  expect(second.terminator.isEnding).toBe(false);
});
