import { describe, expect, it } from 'vitest';
import { chooseNodes, drawFrame, openLineView, canRedraw, openLiveView } from '../../../core/cli/progress.ts';
import {
  emptyProgress,
  getNode,
  applyEvent,
  type RunProgressState,
} from '../../../core/cli/run-progress-state.ts';
import { formatClockTime } from '../../../core/cli/format.ts';
import type { EventView } from '../../../core/contract/logs.ts';
import type { RunEvent } from '../../../core/model/run-event.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { openMemoryChannel } from '../../harness/home-and-command.ts';

const start = Date.UTC(2026, 0, 1, 12, 0, 0);
const extract = { section: 'step', name: 'extract' } as const;
const load = { section: 'step', name: 'load' } as const;

const eventAt = (milliseconds: number, event: RunEvent): EventView => ({
  id: milliseconds,
  name: 'etl',
  dagRunId: 'r1',
  at: new Date(start + milliseconds).toISOString(),
  event,
});

/** A run whose first step fails, is retried and succeeds, and whose second fails permanently. */
const story: EventView[] = [
  eventAt(0, { type: 'run.created', trigger: 'cli', params: [] }),
  eventAt(0, { type: 'run.started', logDir: 'logs' }),
  eventAt(100, { type: 'step.started', node: extract, attempt: 1, dir: 'a' }),
  eventAt(110, { type: 'step.spawned', node: extract, attempt: 1, pid: 1, pidStart: '1' }),
  eventAt(200, {
    type: 'step.retry_scheduled',
    node: extract,
    attempt: 1,
    dueAt: start + 2200,
    exitCode: 7,
    error: 'exit code 7',
  }),
  eventAt(2200, { type: 'step.started', node: extract, attempt: 2, dir: 'b' }),
  eventAt(2600, { type: 'step.finished', node: extract, attempt: 2, status: 'succeeded', exitCode: 0 }),
  eventAt(2600, { type: 'run.message', level: 'warning', message: 'no\nsuch key', node: load }),
  eventAt(2700, { type: 'step.started', node: load, attempt: 1, dir: 'c' }),
  eventAt(3000, {
    type: 'step.finished',
    node: load,
    attempt: 1,
    status: 'failed',
    signal: 'SIGKILL',
    error: 'killed',
  }),
  eventAt(3000, {
    type: 'step.ended',
    node: { section: 'step', name: 'report' },
    status: 'aborted',
    reason: 'load failed',
  }),
  eventAt(3100, {
    type: 'step.sub_run',
    node: { section: 'handler', name: 'onExit' },
    name: 'child',
    dagRunId: 'c1',
  }),
  eventAt(3200, { type: 'run.stop_requested', by: 'http' }),
  eventAt(3300, { type: 'run.finished', status: 'failed', error: 'step load failed', outputs: {} }),
];

function paintAll(events: readonly EventView[]): RunProgressState {
  const picture = emptyProgress(['extract', 'load', 'report']);
  for (const event of events) applyEvent(picture, event);
  return picture;
}

describe('line view', () => {
  it('prints one line per event', () => {
    const channel = openMemoryChannel();
    const view = openLineView(channel);
    const picture = emptyProgress([]);
    for (const event of story) {
      applyEvent(picture, event);
      view.update(event, picture);
    }
    const first = formatClockTime(new Date(start));
    expect(first).toMatch(/^\d\d:00:00$/);
    expect(channel.text.split('\n').map((line) => line.slice(9))).toEqual([
      'run etl r1 started',
      'step extract started',
      'step extract failed: exit code 7, retrying in 2.0s',
      'step extract started (attempt 2)',
      'step extract succeeded in 2.5s',
      'step load warning: no such key',
      'step load started',
      'step load failed in 0.3s (SIGKILL): killed',
      'step report aborted: load failed',
      'handler onExit started sub-run child c1',
      'run etl stopping, requested over HTTP',
      'run etl failed in 3.3s: step load failed',
      '',
    ]);
  });
});

describe('items of a step', () => {
  const resize = { section: 'step', name: 'resize' } as const;
  const itemStarted = (item: number): EventView =>
    eventAt(100, {
      type: 'step.item_started',
      node: resize,
      attempt: 1,
      item,
      total: 40,
      value: 'v',
      dir: 'd',
    });
  const itemEnded = (item: number, status: 'succeeded' | 'failed' | 'aborted'): EventView =>
    eventAt(200, {
      type: 'step.item_finished',
      node: resize,
      attempt: 1,
      item,
      status,
      exitCode: status === 'failed' ? 3 : 0,
    });
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  const begin = eventAt(0, { type: 'step.started', node: resize, attempt: 1, dir: 'r' });

  it('are counted, and have a line when they fail', () => {
    const channel = openMemoryChannel();
    const view = openLineView(channel);
    const picture = emptyProgress([]);
    const end = eventAt(1000, {
      type: 'step.finished',
      node: resize,
      attempt: 1,
      status: 'failed',
      error: '1 of 40 items failed',
    });
    const one = eventAt(150, { type: 'step.sub_run', node: resize, name: 'child', dagRunId: 'c', item: 1 });
    const events = numbers.map((item) => itemEnded(item, item === 2 ? 'failed' : 'succeeded'));
    for (const event of [begin, ...numbers.map(itemStarted), one, ...events, end]) {
      applyEvent(picture, event);
      view.update(event, picture);
    }
    const lines = channel.text.split('\n').map((line) => line.slice(9));
    expect(lines.slice(0, 4)).toEqual([
      'step resize started',
      'step resize item 2 failed (exit code 3)',
      'step resize 4/40 items, 1 failed, 36 running',
      'step resize 8/40 items, 1 failed, 32 running',
    ]);
    expect(lines.slice(-3)).toEqual([
      'step resize 36/40 items, 1 failed, 4 running',
      'step resize failed in 1.0s, 40/40 items, 1 failed: 1 of 40 items failed',
      '',
    ]);
    expect(lines).toHaveLength(13);
  });

  it('are counted in the live view, until the next attempt starts', () => {
    const picture = emptyProgress(['resize']);
    for (const event of [begin, itemStarted(1), itemStarted(2), itemStarted(3), itemEnded(1, 'aborted')])
      applyEvent(picture, event);
    const options = { channel: openMemoryChannel(), title: 'etl  r1', now: start + 2000 };
    expect(drawFrame(picture, options)[1]).toBe('⠋ resize  2.0s  1/40 items, 1 failed, 2 running');
    applyEvent(
      picture,
      eventAt(300, {
        type: 'step.retry_scheduled',
        node: resize,
        attempt: 1,
        dueAt: start + 2500,
        error: 'bad',
      }),
    );
    expect(drawFrame(picture, options)[1]).toBe(
      '▶ resize  2.0s  3/40 items, 3 failed  next attempt in 0.5s  bad',
    );
    applyEvent(picture, eventAt(400, { type: 'step.started', node: resize, attempt: 2, dir: 'r2' }));
    expect(drawFrame(picture, options)[1]).toBe('⠋ resize  2.0s  attempt 2');
  });
});

describe('frame of the live view', () => {
  const options = { channel: openMemoryChannel(), title: 'etl  r1', now: start + 2000 };

  it('shows every step with its state, and the time until the next attempt', () => {
    expect(drawFrame(paintAll(story.slice(0, 5)), options)).toEqual([
      'etl  r1  running  2.0s',
      '▶ extract  1.9s  next attempt in 0.2s  exit code 7',
      '○ load     ',
      '○ report   ',
    ]);
  });

  it('shows ended steps with their duration and reason', () => {
    const lines = drawFrame(paintAll(story.slice(0, 11)), { ...options, now: start + 9000 });
    expect(lines.slice(1)).toEqual([
      '✔ extract  2.5s  attempt 2',
      '✖ load     0.3s  killed',
      '■ report   aborted: load failed',
    ]);
  });

  it('keeps the most important lines when there is no room for all, and counts the rest', () => {
    const picture = emptyProgress(Array.from({ length: 50 }, (_, index) => `s${index}`));
    for (let index = 0; index < 20; index += 1)
      getNode(picture, { section: 'step', name: `s${index}` }).status = 'succeeded';
    getNode(picture, { section: 'step', name: 's30' }).status = 'running';
    getNode(picture, { section: 'step', name: 's5' }).status = 'failed';
    const channel = openMemoryChannel({ rows: 8 });
    expect(chooseNodes([...picture.nodes.values()], 4).map((node) => node.name)).toEqual([
      's5',
      's20',
      's21',
      's30',
    ]);
    const lines = drawFrame(picture, { ...options, channel });
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toBe('  19 succeeded, 1 failed, 29 not_started, 1 running');
  });

  it('never exceeds the width of the terminal', () => {
    const picture = emptyProgress(['x'.repeat(200)]);
    Object.assign(getNode(picture, { section: 'step', name: 'x'.repeat(200) }), {
      status: 'failed',
      startedAt: start,
      error: 'e'.repeat(300),
    });
    const lines = drawFrame(picture, {
      ...options,
      channel: openMemoryChannel({ columns: 60 }),
      title: 't'.repeat(100),
    });
    expect(lines.map((line) => [...line].length).every((length) => length < 60)).toBe(true);
  });
});

describe('live view', () => {
  it('redraws in place as time passes and leaves nothing behind', () => {
    const channel = openMemoryChannel();
    const clock = new FakeClock(start);
    const view = openLiveView(channel, clock, 'etl');
    const picture = paintAll(story.slice(0, 3));
    view.update(story[2]!, picture);
    clock.advance(100);
    view.close();
    view.close();
    expect(clock.pending).toBe(0);
    expect(channel.text.startsWith('\u001B[?25letl  running')).toBe(true);
    expect(channel.text).toContain('\u001B[4F\u001B[0J');
    expect(channel.text.endsWith('\u001B[4F\u001B[0J\u001B[?25h')).toBe(true);
  });

  it('prints other notes and messages above it', () => {
    const channel = openMemoryChannel();
    const view = openLiveView(channel, new FakeClock(start), 'etl');
    view.update(story[7]!, emptyProgress(['a']));
    void channel.write('engine: SIGINT\n');
    expect(channel.text.split('\u001B[0J').at(-1)).toBe('engine: SIGINT\netl  not_started\n○ a  \n');
    expect(channel.text).toContain('step load warning: no such key\n');
    view.close();
  });

  it('is used in terminals with enough room, not in CI', () => {
    const screen = openMemoryChannel({ isTty: true });
    expect(canRedraw(screen, {})).toBe(true);
    expect(canRedraw(screen, { TERM: 'dumb' })).toBe(false);
    expect(canRedraw(screen, { CI: 'true' })).toBe(false);
    expect(canRedraw(openMemoryChannel({ isTty: true, rows: 5 }), {})).toBe(false);
    expect(canRedraw(openMemoryChannel(), {})).toBe(false);
  });
});
