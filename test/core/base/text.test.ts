import { describe, expect, it } from 'vitest';
import {
  displayWidth,
  truncateToWidth,
  oneLine,
  formatFields,
  formatTable,
  formatElapsed,
} from '../../../core/cli/format.ts';
import { formatDuration } from '../../../core/base/text.ts';
import { wantsColor } from '../../../core/cli/terminal.ts';

describe('durationText', () => {
  it.each([
    [0, '0.0s'],
    [49, '0.0s'],
    [50, '0.1s'],
    [59_949, '59.9s'],
    [59_950, '1m 00s'],
    [65_000, '1m 05s'],
    [3_599_400, '59m 59s'],
    [3_600_000, '1h 00m'],
    [86_399_000, '23h 59m'],
    [86_400_000 * 3 + 3_600_000 * 4, '3d 04h'],
    [-5, '0.0s'],
  ])('%i ms is %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it('counts an active period until now, and nothing before the start', () => {
    const startedAt = '2026-01-01T00:00:00.000Z';
    expect(formatElapsed({ startedAt }, Date.parse(startedAt) + 1500)).toBe('1.5s');
    expect(formatElapsed({ startedAt, finishedAt: '2026-01-01T00:00:02.000Z' }, 0)).toBe('2.0s');
    expect(formatElapsed({}, 0)).toBeUndefined();
  });
});

describe('workflow text on a terminal', () => {
  it('is stripped of line breaks and control sequences', () => {
    expect(oneLine('a\n  b\u001B[2Jc\u0007\n')).toBe('a b\uFFFD[2Jc\uFFFD');
  });

  it('is truncated with an ellipsis', () => {
    expect(truncateToWidth('abcdef', 6)).toBe('abcdef');
    expect(truncateToWidth('abcdef', 4)).toBe('abc…');
    expect(truncateToWidth('日本語', 6)).toBe('日本語');
    expect(truncateToWidth('日本語', 5)).toBe('日本…');
    expect(truncateToWidth('日本語', 4)).toBe('日…');
  });

  it.each([
    ['plain', 5],
    ['\u001B[32mok\u001B[39m', 2],
    ['café', 4],
    ['cafe\u0301', 4],
    ['日本語', 6],
    ['🚀', 2],
    ['👩\u200D👩\u200D👧', 2],
  ])('%j has the columns of a terminal: %i', (text, columns) => {
    expect(displayWidth(text)).toBe(columns);
  });
});

describe('formatTable', () => {
  it('aligns cells, ignores color codes, and omits empty columns', () => {
    const rows = [
      ['\u001B[32mok\u001B[39m', '', '5'],
      ['a', '', '12'],
    ];
    expect(formatTable(['NAME', 'NONE', 'N'], rows, ['N'])).toEqual([
      'NAME   N',
      '\u001B[32mok\u001B[39m     5',
      'a     12',
    ]);
  });

  it('aligns wide characters', () => {
    const rows = [
      ['日本', 'a'],
      ['abcde', 'b'],
    ];
    expect(formatTable(['NAME', 'X'], rows)).toEqual(['NAME   X', '日本   a', 'abcde  b']);
  });

  it('prints properties in one column and omits absent ones', () => {
    expect(
      formatFields([
        ['A', '1'],
        ['Long', '2'],
        ['Gone', undefined],
        ['Empty', ''],
      ]),
    ).toEqual(['A     1', 'Long  2']);
  });
});

describe('colour', () => {
  it.each([
    [{}, true, false, true],
    [{}, false, false, false],
    [{ TERM: 'dumb' }, true, false, false],
    [{ NO_COLOR: '1' }, true, false, false],
    [{ NO_COLOR: '' }, true, false, true],
    [{ FORCE_COLOR: '1' }, false, false, true],
    [{ FORCE_COLOR: '0' }, true, false, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, false, true],
    [{ FORCE_COLOR: '1' }, true, true, false],
  ])('with %o, terminal %s, --no-color %s: %s', (environment, isTty, flag, wanted) => {
    expect(wantsColor(environment, isTty, flag)).toBe(wanted);
  });
});
