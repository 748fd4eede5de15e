import { afterEach, expect, test, vi } from 'vitest';
import { isLarge, loadInThread } from '../../../../core/home/library/load-in-thread.ts';
import { loadText } from '../../../../core/home/library/load-text.ts';
import { DeadlineError, DeadlineThreads } from '../../../../core/process/threads/deadline-threads.ts';

afterEach(() => vi.restoreAllMocks());

const largeText = (steps: number): string =>
  `name: large\ntype: graph\nsteps:\n${Array.from(
    { length: steps },
    (_, index) => `  - { name: step-${index}, command: "echo \${A}", env: [{ INDEX: ${index} }] }\n`,
  ).join('')}`;

test('loads large text with the same result as small text', async () => {
  const request = { text: largeText(600), file: '/dags/large.yaml', base: { text: 'group: mine' } };
  expect(isLarge(request.text)).toBe(true);
  const loaded = await loadInThread(request);
  expect(loaded.workflows[0]?.steps).toHaveLength(600);
  expect(loaded).toEqual(loadText(request));
}, 60_000);

test('transfers values that JSON lacks', async () => {
  const text = `# ${'a'.repeat(20_000)}\nsteps: [{ type: jq, command: ., config: { args: { a: .inf } } }]`;
  expect(await loadInThread({ text })).toEqual(loadText({ text }));
});

test('reports one error with a hint for text that takes too long', async () => {
  const message = 'Checking this file took longer than 2 seconds.';
  vi.spyOn(DeadlineThreads.prototype, 'run').mockRejectedValue(new DeadlineError(message));
  const { workflows, diagnostics } = await loadInThread({ text: largeText(600), file: 'slow.yaml' });
  expect(workflows).toEqual([]);
  expect(diagnostics).toEqual([
    { severity: 'error', message, file: 'slow.yaml', line: 1, column: 1, path: '' },
  ]);
});

test('queues a few checks, and rejects more', async () => {
  const text = largeText(600);
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => loadInThread({ text }, 'check')));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests' } });
});
