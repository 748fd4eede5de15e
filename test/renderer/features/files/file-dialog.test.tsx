import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FileDialog } from '../../../../renderer/features/files/file-dialog.tsx';
import { parseFile, type ParseTask } from '../../../../renderer/features/files/parse-file.ts';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

/** Answers in the same thread, as the worker does. */
class DirectWorker extends EventTarget {
  postMessage({ id, ...task }: ParseTask & { id: number }): void {
    this.dispatchEvent(new MessageEvent('message', { data: { id, result: parseFile(task) } }));
  }

  terminate(): void {}
}

beforeEach(() => void vi.stubGlobal('Worker', DirectWorker));
afterEach(() => void vi.unstubAllGlobals());

const at = '2026-01-01T00:00:00.000Z';

/** Opens a file with these contents; `bytes` is its stated size. */
function show(name: string, text: string, bytes = text.length): FakeBridge {
  const bridge = new FakeBridge({
    'runs.artifactBytes': ({ offset = 0 }) => ({
      ...{ size: text.length, at, mark: 'one', offset },
      data: offset < text.length ? btoa(text) : '',
    }),
  });
  const run = { name: 'etl', dagRunId: 'r1' };
  renderWith(bridge, <FileDialog run={run} artifact={{ name, bytes, at }} onClose={() => undefined} />);
  return bridge;
}

const readColumn = (column: number): string[] =>
  screen.getAllByRole('row').flatMap((row) => {
    const cells = within(row).queryAllByRole('cell');
    return cells.length === 0 ? [] : [cells[column]!.textContent];
  });

test('a table sorts numbers as numbers, and filters', async () => {
  show('orders.csv', 'name,amount\nann,10\nbob,9\ncy,\n');
  await screen.findByRole('table', { name: 'orders.csv' });
  expect(screen.getByText('3 rows')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'amount' }));
  expect(readColumn(2)).toEqual(['9', '10', '']);
  fireEvent.change(screen.getByRole('searchbox', { name: 'Filter rows' }), { target: { value: 'BOB' } });
  expect(readColumn(1)).toEqual(['bob']);
  expect(screen.getByText('1 of 3 rows')).toBeDefined();
});

test('a broken line is named', async () => {
  show('orders.csv', 'name,amount\nann\n');
  expect(await screen.findByText(/Line 2 is broken: 1 value, expected 2/)).toBeDefined();
});

test('a JSON file is a tree whose values open on request', async () => {
  show(
    'data.json',
    JSON.stringify({ id: 7, list: Array.from({ length: 150 }, (_, index) => `item ${index}`) }),
  );
  const tree = await screen.findByRole('group', { name: 'data.json' });
  expect(tree.textContent).toContain('id: 7');
  expect(tree.textContent).not.toContain('"item 0"');
  const list = within(tree).getByText('150 items').closest('details')!;
  list.open = true;
  fireEvent(list, new Event('toggle'));
  expect(tree.textContent).toContain('"item 99"');
  expect(tree.textContent).not.toContain('"item 100"');
  fireEvent.click(within(tree).getByRole('button', { name: 'Show 50 more of 150' }));
  expect(tree.textContent).toContain('"item 149"');
});

test('the size of a large file is shown before it is read', async () => {
  const bridge = show('notes.csv', 'a\n1\n', 7_000_000);
  expect(screen.getByText('7.0 MB file')).toBeDefined();
  expect(bridge.callsOf('runs.artifactBytes')).toHaveLength(0);
  fireEvent.click(screen.getByRole('button', { name: 'Show' }));
  await screen.findByRole('table', { name: 'notes.csv' });
});

test('a file that is too large is only offered as a download', () => {
  const bridge = show('data.json', '{}', 900_000_000);
  expect(screen.getByText('File too large to show')).toBeDefined();
  expect(bridge.callsOf('runs.artifactBytes')).toHaveLength(0);
  expect(screen.getByRole('button', { name: 'Download' })).toBeDefined();
});

test('HTML is shown in a frame without scripts and requests', async () => {
  show('page.html', '<h1>Hi</h1><script>alert(1)</script>');
  const frame = await screen.findByTitle<HTMLIFrameElement>('page.html');
  expect(frame.getAttribute('sandbox')).not.toMatch(/allow-(scripts|same-origin|forms)/);
  expect(frame.srcdoc).toContain(`content="default-src 'none'`);
  expect(frame.srcdoc.indexOf('Content-Security-Policy')).toBeLessThan(frame.srcdoc.indexOf('<h1>'));
});

test('an image is shown from a data URL', async () => {
  show('chart.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const image = await screen.findByRole<HTMLImageElement>('img', { name: 'chart.svg' });
  expect(image.src).toMatch(/^data:image\/svg\+xml;base64,/);
});

test('binary data has no preview', async () => {
  show('data.bin', 'a\0b');
  expect(await screen.findByText('No preview')).toBeDefined();
});
