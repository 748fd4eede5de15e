import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ItemView } from '../../../../core/contract/run-steps.ts';
import type { RunDetailView, StepRunView } from '../../../../core/contract/run-views.ts';
import type { RunEvent } from '../../../../core/model/run-event.ts';
import { BridgeProvider } from '../../../../renderer/api/bridge.ts';
import { batchIntervalMs, LiveEvents, LiveEventsProvider } from '../../../../renderer/api/live-events.ts';
import { useRun } from '../../../../renderer/api/run-queries.ts';
import { StepPanel } from '../../../../renderer/features/run/step-output.tsx';
import { FakeBridge } from '../../renderer-harness.tsx';
import { FakeClock } from '../../../harness/fakes.ts';
import {
  makeEventView,
  makeRunView,
  makeStepSpec,
  makeStepRunView,
  makeWorkflowSpec,
} from '../../../harness/samples.ts';

const node = { section: 'step', name: 'resize' } as const;
const at = (second: number): string => makeEventView(second, { type: 'run.started', logDir: '' }).at;

const item = (number: number, more: Partial<ItemView> = {}): ItemView => ({
  item: number,
  value: `file-${number}`,
  status: 'succeeded',
  startedAt: at(1),
  finishedAt: at(3),
  stdoutFile: '',
  stderrFile: '',
  ...more,
});

const items = [
  ...Array.from({ length: 35 }, (_, index) => item(index + 1)),
  item(36, { status: 'failed', exitCode: 3, error: 'no such file' }),
  item(37, { status: 'failed', exitCode: 4, subRun: { name: 'child', dagRunId: 'c37' } }),
  item(38, { status: 'running', finishedAt: undefined }),
];

const attempt = { attempt: 1, startedAt: at(1), stdoutFile: '', stderrFile: '' };

const runOf = (more: Partial<StepRunView> = {}): RunDetailView =>
  makeRunView({
    status: 'running',
    workflow: makeWorkflowSpec([
      makeStepSpec('resize', [], { parallel: { items: '${FILES}', maxConcurrent: 10 } }),
    ]),
    steps: [
      makeStepRunView('resize', {
        status: 'running',
        attempts: [attempt],
        items: { total: 120, started: 38, running: 1, succeeded: 35, failed: 2 },
        ...more,
      }),
    ],
    handlers: [],
  });

function Panel() {
  const run = useRun('etl', 'run-1').data;
  return run ? <StepPanel run={run} selected={node} /> : null;
}

function open(run: RunDetailView = runOf(), list: readonly ItemView[] = items) {
  const bridge = new FakeBridge({
    'runs.get': () => run,
    'runs.items': ({ attempt: number = 1 }) => ({ attempt: number, items: [...list] }),
    'logs.lines': () => ({ size: 5, totalLines: 1, complete: true, from: 0, lines: ['a line'] }),
  });
  const cache = new QueryClient();
  const clock = new FakeClock();
  const live = new LiveEvents(bridge, cache, clock);
  const stop = live.start();
  render(
    <BridgeProvider value={bridge}>
      <QueryClientProvider client={cache}>
        <LiveEventsProvider value={live}>
          <Panel />
        </LiveEventsProvider>
      </QueryClientProvider>
    </BridgeProvider>,
  );
  const push = (...events: RunEvent[]): void =>
    act(() => {
      events.forEach((event, index) => bridge.push('events.follow', makeEventView(50 + index, event)));
      clock.advance(batchIntervalMs);
    });
  return { bridge, push, stop };
}

// Without a layout nothing is visible, and nothing would be rendered.
beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(340);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(600);
});
const rowOf = async (number: number): Promise<HTMLElement> =>
  (await screen.findByRole('button', { name: `Log of item ${number}: file-${number}` })).closest('li')!;

test('the panel shows the progress of the items as text and as a bar', async () => {
  open();
  const bar = await screen.findByRole('progressbar', { name: 'Items' });
  expect(bar.getAttribute('aria-valuetext')).toBe('37 of 120 done, 2 failed, 1 running');
  expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual(['37', '120']);
  expect(screen.getByText('37 of 120 done, 2 failed, 1 running')).toBeTruthy();
});

test('renders only visible rows, each with the total count', async () => {
  open();
  const first = await rowOf(1);
  expect(first.getAttribute('aria-setsize')).toBe('38');
  expect(screen.getAllByRole('listitem').length).toBeLessThan(38);
});

test('failed items can be filtered, with status, reason and run', async () => {
  const { bridge } = open();
  await rowOf(1);
  fireEvent.click(screen.getByRole('radio', { name: 'Failed (2)' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  const failed = within(await rowOf(36));
  expect(failed.getByText('Failed')).toBeTruthy();
  expect(failed.getByText('no such file')).toBeTruthy();
  expect(failed.getByText('2.0 s')).toBeTruthy();
  const other = within(await rowOf(37));
  expect(other.getByText('exit code 4')).toBeTruthy();
  expect(other.getByRole('link', { name: 'Run of child for item 37' }).getAttribute('href')).toBe(
    '/runs/child/c37',
  );
  expect(bridge.callsOf('runs.items')).toEqual([
    { name: 'etl', dagRunId: 'run-1', section: 'step', step: 'resize', attempt: 1, limit: 1000 },
  ]);
});

test('Tab focuses one row, and the arrow keys move from there', async () => {
  open();
  const press = (key: string): void => void fireEvent.keyDown(document.activeElement!, { key });
  (await rowOf(1)).querySelector('button')!.focus();
  press('ArrowDown');
  expect(document.activeElement!.getAttribute('aria-label')).toBe('Log of item 2: file-2');
  press('End');
  expect(document.activeElement!.getAttribute('aria-label')).toBe('Log of item 38: file-38');
  press('Home');
  expect(document.activeElement!.getAttribute('aria-label')).toBe('Log of item 1: file-1');
  const reachable = screen
    .getAllByRole('listitem')
    .flatMap((row) => [...row.querySelectorAll<HTMLElement>('[tabindex="0"]')]);
  expect(reachable).toHaveLength(1);
});

test('a row opens the log of its item, with a way back', async () => {
  const { bridge } = open();
  fireEvent.click(within(await rowOf(2)).getByText('file-2'));
  expect(await screen.findByText('Item 2:')).toBeTruthy();
  expect(screen.queryByRole('list', { name: 'Items' })).toBeNull();
  const asked = bridge.callsOf('logs.lines').at(-1);
  expect(asked).toMatchObject({ step: 'resize', section: 'step', attempt: 1, item: 2 });
  fireEvent.click(screen.getByRole('button', { name: 'Items' }));
  expect(await rowOf(2)).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: 'Step log' }));
  expect(bridge.callsOf('logs.lines').at(-1)).not.toHaveProperty('item');
});

test('counts and rows follow the events', async () => {
  const { bridge, push } = open(runOf(), items.slice(0, 2));
  await rowOf(1);
  push(
    { type: 'step.item_started', node, attempt: 1, item: 4, total: 120, value: 'file-4', dir: 'd' },
    { type: 'step.item_started', node, attempt: 1, item: 3, total: 120, value: 'file-3', dir: 'd' },
    { type: 'step.item_finished', node, attempt: 1, item: 3, status: 'failed', exitCode: 9 },
  );
  expect(await screen.findByText('38 of 120 done, 3 failed, 2 running')).toBeTruthy();
  expect(within(await rowOf(3)).getByText('exit code 9')).toBeTruthy();
  expect(within(await rowOf(4)).getByText('Running')).toBeTruthy();
  expect(bridge.callsOf('runs.items')).toHaveLength(1);
});

test('the items of an earlier attempt are counted from its list', async () => {
  open(
    runOf({
      attempts: [
        { ...attempt, finishedAt: at(9), error: 'one failed' },
        { ...attempt, attempt: 2 },
      ],
      items: undefined,
    }),
  );
  fireEvent.click(await screen.findByRole('radio', { name: 'Attempt 1' }));
  expect(await screen.findByText('37 done, 2 failed, 1 running')).toBeTruthy();
});

test('a step whose items have not started says so', async () => {
  open(runOf({ items: undefined }), []);
  expect(await screen.findByText('No items started yet')).toBeTruthy();
  expect(screen.queryByRole('progressbar')).toBeNull();
});
