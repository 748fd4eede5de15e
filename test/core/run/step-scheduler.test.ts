import { describe, expect, test } from 'vitest';
import { transition, type WalkEvent, type WalkState } from '../../../core/run/step-scheduler.ts';

const cancelPause = (): void => {};

const states = {
  open: { phase: 'open' },
  pausing: { phase: 'pausing', cancelPause },
  closed: { phase: 'closed' },
  ended: { phase: 'ended' },
} satisfies Record<string, WalkState>;

const events = {
  paused: { type: 'paused', cancelPause },
  pause_over: { type: 'pause_over' },
  closed: { type: 'closed' },
  ended: { type: 'ended' },
} satisfies Record<string, WalkEvent>;

type StateName = keyof typeof states;
type EventName = keyof typeof events;

/** The events that apply to each state, and the states after them; a pair that is not here is ignored. */
const allowed: Readonly<Record<StateName, Partial<Record<EventName, WalkState>>>> = {
  open: { paused: states.pausing, closed: states.closed, ended: states.ended },
  pausing: { pause_over: states.open, closed: states.closed, ended: states.ended },
  closed: { ended: states.ended },
  ended: {},
};

describe.each(Object.keys(states) as StateName[])('a walk through the steps that is %s', (state) => {
  test.each(Object.keys(events) as EventName[])('%s', (event) => {
    expect(transition(states[state], events[event])).toEqual(allowed[state][event]);
  });
});
