import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
import { loadSpec } from '../../../core/spec/load.ts';

/** What is said about a workflow with this `smtp`. */
const tell = (smtp: string): string[] =>
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
  ])('loads without a word: %s', (smtp) => {
    expect(tell(smtp)).toEqual([]);
  });

  it.each([
    ['{host: a, port: abc}', 'a.yaml:1:23: warning: No mail can be sent: "abc" is no port.', 'smtp.port'],
    ['{host: a, port: 0}', 'a.yaml:1:23: warning: No mail can be sent: "0" is no port.', 'smtp.port'],
    ['{host: a, port: 65536}', 'a.yaml:1:23: warning: No mail can be sent: "65536" is', 'smtp.port'],
    [
      '[{host: a}, {host: b, port: -1}]',
      'a.yaml:1:35: warning: No mail can be sent: "-1" is',
      'smtp[1].port',
    ],
  ])('warns of a port that is none, before a mail is to be sent: %s', (smtp, words, path) => {
    const [told, ...more] = tell(smtp);
    expect(told).toContain(words);
    expect(told).toContain(`(${path})`);
    expect(more).toEqual([]);
  });
});
