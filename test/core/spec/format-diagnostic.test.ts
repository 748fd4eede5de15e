import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { formatDiagnostic, formatDiagnosticWithExcerpt } from '../../../core/spec/format-diagnostic.ts';

const diagnostic: Diagnostic = {
  severity: 'error',
  message: 'It is wrong.',
  file: 'a/etl.yaml',
  line: 2,
  column: 5,
  path: 'steps[0]',
};

describe('formatDiagnostic', () => {
  it('names file, line, column and path', () => {
    expect(formatDiagnostic(diagnostic)).toBe('a/etl.yaml:2:5: It is wrong. (steps[0])');
  });

  it('omits missing parts, and labels warnings', () => {
    expect(formatDiagnostic({ ...diagnostic, severity: 'warning', file: '', path: '' })).toBe(
      '2:5: warning: It is wrong.',
    );
  });
});

describe('formatDiagnosticWithExcerpt', () => {
  const excerpt = (text: string, change: Partial<Diagnostic> = {}) =>
    formatDiagnosticWithExcerpt({ ...diagnostic, ...change }, text)
      .split('\n')
      .slice(1);

  it('shows the line with a caret below the position', () => {
    expect(excerpt('steps:\n  - echo: a\nlast')).toEqual(['  2 |   - echo: a', '    |     ^']);
  });

  it('aligns the caret after tabs, CR LF and a byte order mark', () => {
    expect(excerpt('\uFEFFsteps:\r\n\t\tx: a\r\n', { column: 3 })).toEqual(['  2 | \t\tx: a', '    | \t\t^']);
    expect(excerpt('\uFEFFsteps:', { line: 1, column: 1 })).toEqual(['  1 | steps:', '    | ^']);
  });

  it('shows the part of a long line around the position', () => {
    const [line, caret] = excerpt(`x\n${'a'.repeat(500)}!${'b'.repeat(500)}`, { column: 501 });
    expect(line!.length).toBeLessThan(120);
    expect(line![caret!.indexOf('^')]).toBe('!');
  });

  it('replaces control characters, so that none reaches a terminal', () => {
    expect(excerpt('a\u001B]0;b\u0007\u009B\u0000\tc', { line: 1, column: 2 })).toEqual([
      '  1 | a\uFFFD]0;b\uFFFD\uFFFD\uFFFD\tc',
      '    |  ^',
    ]);
  });

  it('is the message alone when the line does not exist', () => {
    expect(excerpt('one line', { line: 9 })).toEqual([]);
    expect(excerpt('', { line: 1, column: 1 })).toEqual([]);
  });
});
