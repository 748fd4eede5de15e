import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { DiagnosticList, SeverityMark } from '../../../renderer/ui/diagnostics.tsx';

const diagnostics: readonly Diagnostic[] = [
  { severity: 'error', message: 'Nothing is called fetsh.', file: '', line: 7, column: 15, path: 'steps[1]' },
  { severity: 'warning', message: 'This is old.', file: '', line: 12, column: 1, path: '' },
];

test('an entry shows its severity, position and message; it links to its position', () => {
  const gone: Diagnostic[] = [];
  render(<DiagnosticList label="Problems" diagnostics={diagnostics} onGo={(one) => gone.push(one)} />);
  expect(screen.getByRole('list', { name: 'Problems' }).childElementCount).toBe(2);
  fireEvent.click(screen.getByRole('button', { name: /^Warning.*12:1.*This is old/ }));
  fireEvent.click(screen.getByRole('button', { name: /^Error.*7:15.*fetsh/ }));
  expect(gone).toEqual([diagnostics[1], diagnostics[0]]);
});

test('each severity has an icon and a label, which is hidden next to the same text', () => {
  const marks = (['error', 'warning', 'info'] as const).map((severity) => {
    render(<SeverityMark severity={severity} />);
    return screen.getByRole('img', { name: { error: 'Error', warning: 'Warning', info: 'Info' }[severity] });
  });
  expect(new Set(marks.map(({ innerHTML }) => innerHTML)).size).toBe(3);
  const { container } = render(<SeverityMark severity="error" isDecorative />);
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  expect(container.querySelector('svg')?.hasAttribute('role')).toBe(false);
});
