import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AddNoteButton, RunNote } from '../../../../renderer/features/run/run-note.tsx';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

const ref = { name: 'etl', dagRunId: 'r7' };
const note = { text: 'See **4711** [x](javascript:alert(1))', author: 'ann', at: '2026-11-22T10:00:00Z' };

test('a note is added to a run without one, and must not be too long', async () => {
  const bridge = new FakeBridge({ 'runs.setNote': () => ({ ...ref, note }) });
  renderWith(bridge, <AddNoteButton run={ref} />);
  fireEvent.click(screen.getByRole('button', { name: 'Add note' }));
  const save = screen.getByRole('button', { name: 'Save' });
  const write = (value: string): boolean =>
    fireEvent.change(screen.getByRole('textbox', { name: 'Note' }), { target: { value } });
  write('x'.repeat(10_003));
  expect(screen.getByText('3 characters too long')).toBeTruthy();
  fireEvent.click(save);
  write('Bad input');
  fireEvent.click(save);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bridge.callsOf('runs.setNote')).toEqual([{ ...ref, text: 'Bad input' }]);
});

test('a note is shown as Markdown without unsafe links, edited and deleted', async () => {
  const bridge = new FakeBridge({ 'runs.setNote': () => ref });
  renderWith(bridge, <RunNote run={{ ...ref, note }} />);
  expect(screen.getByText('4711').tagName).toBe('STRONG');
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.getByRole('region', { name: 'Note' }).textContent).toContain('ann, ');
  fireEvent.click(screen.getByRole('button', { name: 'Edit note' }));
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' }).value).toBe(note.text);
  fireEvent.click(screen.getByRole('button', { name: 'Delete note' }));
  await waitFor(() => expect(bridge.callsOf('runs.setNote')).toEqual([{ ...ref, text: '' }]));
});
