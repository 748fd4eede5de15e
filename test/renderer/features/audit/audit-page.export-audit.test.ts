import { expect, test } from 'vitest';
import { toCsv } from '../../../../renderer/features/audit/audit-page.tsx';

test('exports entries as CSV that spreadsheets treat as text only', () => {
  const entry = {
    id: 1,
    at: '2026-11-22T10:00:00.000Z',
    actor: '=cmd()',
    via: 'http',
    operation: 'runs.stop',
  } as const;
  expect(toCsv([{ ...entry, target: 'a, "b"', outcome: 'done' }])).toBe(
    'at,actor,via,address,operation,target,outcome,what\r\n' +
      `2026-11-22T10:00:00.000Z,'=cmd(),http,,runs.stop,"a, ""b""",done,Stop a run\r\n`,
  );
});
