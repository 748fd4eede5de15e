import { describe, expect, test } from 'vitest';
import { transition, type ItemsEvent, type ItemsState } from '../../../../core/run/steps/items-attempt.ts';

const states = {
  running: { phase: 'running' },
  stopped: { phase: 'ending', how: 'stop' },
  killed: { phase: 'ending', how: 'kill' },
} satisfies Record<string, ItemsState>;

const events = {
  stop: { type: 'stop' },
  kill: { type: 'kill' },
} satisfies Record<string, ItemsEvent>;

type StateName = keyof typeof states;
type EventName = keyof typeof events;

/** The events that apply to each state, and the states after them; a pair that is not here is ignored. */
const allowed: Readonly<Record<StateName, Partial<Record<EventName, ItemsState>>>> = {
  running: { stop: states.stopped, kill: states.killed },
  stopped: { stop: states.stopped, kill: states.killed },
  killed: { kill: states.killed },
};

describe.each(Object.keys(states) as StateName[])('an attempt with items that is %s', (state) => {
  test.each(Object.keys(events) as EventName[])('%s', (event) => {
    expect(transition(states[state], events[event])).toEqual(allowed[state][event]);
  });
});
