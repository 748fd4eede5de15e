import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
import { loadSpec } from '../../../core/spec/load.ts';

/** Diagnostics of a workflow with this `smtp`. */
const notify = (smtp: string): string[] =>
  loadSpec({ text: `smtp: ${smtp}\nsteps: [echo a]\n`, file: 'a.yaml' }).diagnostics.map((diagnostic) =>
    formatDiagnostic(diagnostic),
  );

describe('smtp', () => {
  it.each([
    '{host: a}',
    '{host: a, port: 587}',
    '{host: a, port: "65535"}',
    '{host: a, port: ""}',
    '{host: a, port: "${SMTP_PORT}"}',
    '{port: 25}',
    '[{host: a, port: 1}, {host: b}]',
  ])('loads without diagnostics: %s', (smtp) => {
    expect(notify(smtp)).toEqual([]);
  });

  it.each([
    [
      '{host: a, port: abc}',
      'Invalid mail port "abc". Use a number from 1 to 65535, usually 587, or 465 for implicit TLS.',
      'smtp.port',
    ],
    [
      '{host: a, port: 0}',
      'Invalid mail port "0". Use a number from 1 to 65535, usually 587, or 465 for implicit TLS.',
      'smtp.port',
    ],
    [
      '{host: a, port: 65536}',
      'Invalid mail port "65536". Use a number from 1 to 65535, usually 587, or 465 for implicit TLS.',
      'smtp.port',
    ],
    [
      '[{host: a}, {host: b, port: -1}]',
      'Invalid mail port "-1". Use a number from 1 to 65535, usually 587, or 465 for implicit TLS.',
      'smtp[1].port',
    ],
  ])('warns of an invalid port, before a mail is due: %s', (smtp, words, path) => {
    const [told, ...more] = notify(smtp);
    expect(told).toContain(words);
    expect(told).toContain(`(${path})`);
    expect(more).toEqual([]);
  });
});
