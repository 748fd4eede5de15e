import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MoreFilters } from '../../../../renderer/features/runs/run-filters.tsx';
import { readRunQuery } from '../../../../renderer/features/runs/run-query.ts';

test('an invalid filter shows the reason at its field, and is not applied until it is valid', async () => {
  const applied: unknown[] = [];
  render(
    <MoreFilters query={readRunQuery(new URLSearchParams())} onChange={(changes) => applied.push(changes)} />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'More' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Started by')));
  const type = (label: string, value: string): boolean =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  type('Minimum duration', '-5');
  expect(screen.getByLabelText<HTMLInputElement>('From').type).toBe('date');
  expect(screen.getByText('Enter seconds, such as 90 or 0.5.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
  expect(applied).toEqual([]);
  type('From', '2026-02-28');
  type('Minimum duration', '5');
  fireEvent.click(screen.getByLabelText('Has a note'));
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
  expect(applied).toMatchObject([{ from: '2026-02-28', longer: '5', noted: true }]);
});
