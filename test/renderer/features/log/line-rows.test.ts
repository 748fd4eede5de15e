import { expect, test } from 'vitest';
import { parseGoToTarget } from '../../../../renderer/features/log/log-bars.tsx';
import { writeLineTime } from '../../../../renderer/features/log/log-actions.ts';
import {
  findLinks,
  splitAtSpans,
  readAnsiLine,
  extendSelection,
  parseLineSelection,
  formatLineSelection,
  writeReference,
} from '../../../../renderer/features/log/log-line.tsx';
import {
  groupMarkerPattern,
  parseGroupMarker,
  addFold,
  allLines,
  findEnclosingFold,
  getVisibleLines,
  type Fold,
  lineAtTime,
  mergedRows,
  singleRows,
  getTime,
  type LineRows,
} from '../../../../renderer/features/log/line-rows.ts';
import { writeHexRow } from '../../../../renderer/features/log/log-view.tsx';
import { listRowPositions, getRanges } from '../../../../renderer/features/log/log-line-cache.ts';

const marks = { at: [1000, 2000, 3000], stdout: [2, 2, 5], stderr: [0, 3, 3] };
const listRows = (rows: LineRows): string[] =>
  Array.from({ length: rows.count }, (_, row) => {
    const place = rows.at(row);
    expect(rows.getRow(place)).toBe(row);
    return `${place.stream === 'stdout' ? 'o' : 'e'}${place.line}`;
  });

test('merges both streams by time, with untimed lines last', () => {
  const rows = mergedRows(marks, { stdout: 6, stderr: 4 });
  expect(listRows(rows)).toEqual(['o0', 'o1', 'e0', 'e1', 'e2', 'o2', 'o3', 'o4', 'o5', 'e3']);
  expect(listRows(mergedRows({ at: [], stdout: [], stderr: [] }, { stdout: 1, stderr: 1 }))).toEqual([
    'o0',
    'e0',
  ]);
});

test('a line has the first time at which it was complete, and a time the first line after it', () => {
  expect(getTime({ stream: 'stdout', line: 1 }, marks, undefined)).toBe(1000);
  expect(getTime({ stream: 'stdout', line: 2 }, marks, undefined)).toBe(3000);
  expect(getTime({ stream: 'stdout', line: 5 }, marks, undefined)).toBeUndefined();
  expect(getTime({ stream: 'stdout', line: 5 }, marks, 4000)).toBe(4000);
  expect(lineAtTime('stderr', 1500, marks)).toBe(0);
  expect(lineAtTime('stdout', 2500, marks)).toBe(2);
});

const fold = (stream: Fold['stream'], head: number, last: number): Fold => ({ stream, head, last });

test('folded lines take no rows, and are found where their group starts', () => {
  const shown = getVisibleLines([fold('stdout', 2, 5), fold('stdout', 8, 9)]);
  const rows = singleRows('stdout', 12, shown);
  expect(listRows(rows)).toEqual(['o0', 'o1', 'o2', 'o6', 'o7', 'o8', 'o10', 'o11']);
  expect(rows.getRow({ stream: 'stdout', line: 4 })).toBe(2);
  expect(rows.getRow({ stream: 'stdout', line: 9 })).toBe(5);
  expect(listRows(singleRows('stdout', 4, shown))).toEqual(['o0', 'o1', 'o2']);
});

test('in a merged log a group folds the lines of its own stream only', () => {
  const totals = { stdout: 6, stderr: 4 };
  const shown = { stdout: getVisibleLines([fold('stdout', 1, 3)]), stderr: allLines };
  const rows = mergedRows(marks, totals, shown);
  expect(listRows(rows)).toEqual(['o0', 'o1', 'e0', 'e1', 'e2', 'o4', 'o5', 'e3']);
  expect(rows.getRow({ stream: 'stdout', line: 3 })).toBe(1);
  const both = mergedRows(marks, totals, { ...shown, stderr: getVisibleLines([fold('stderr', 0, 3)]) });
  expect(listRows(both)).toEqual(['o0', 'o1', 'e0', 'o4', 'o5']);
  expect(both.getRow({ stream: 'stderr', line: 3 })).toBe(2);
});

test("a nested group is part of its parent's fold, independent of the other stream", () => {
  const folds = [fold('stderr', 4, 5), fold('stdout', 4, 6), fold('stdout', 9, 9)].reduce<readonly Fold[]>(
    addFold,
    [],
  );
  const outer = addFold(folds, fold('stdout', 2, 8));
  expect(outer).toEqual([fold('stdout', 2, 8), fold('stderr', 4, 5), fold('stdout', 9, 9)]);
  expect(findEnclosingFold(outer, { stream: 'stdout', line: 8 })).toEqual(fold('stdout', 2, 8));
  expect(findEnclosingFold(outer, { stream: 'stdout', line: 2 })).toBeUndefined();
  expect(findEnclosingFold(outer, { stream: 'stderr', line: 8 })).toBeUndefined();
});

test('folded lines are not fetched with the surrounding rows', () => {
  const rows = singleRows('stdout', 1_000_000, getVisibleLines([fold('stdout', 10, 900_000)]));
  const ranges = getRanges(listRowPositions(rows, 5, 15));
  expect([...ranges]).toEqual([
    [
      'stdout',
      [
        { from: 5, to: 11 },
        { from: 900_001, to: 900_005 },
      ],
    ],
  ]);
});

test('line numbers in URLs and messages are 1-based', () => {
  expect(parseLineSelection('120')).toEqual({ stream: 'stdout', from: 119, to: 119 });
  expect(parseLineSelection('stderr:7-3')).toEqual({ stream: 'stderr', from: 2, to: 6 });
  for (const wrong of [null, '', '0', 'x', '1-', '-3']) expect(parseLineSelection(wrong)).toBeUndefined();
  const chosen = extendSelection({ stream: 'stdout', from: 9, to: 9 }, 'stdout', 4);
  expect(formatLineSelection(chosen)).toBe('5-10');
  const address = { name: 'etl', dagRunId: 'r1', step: 'load' };
  expect(writeReference(address, { stream: 'stdout', from: 119, to: 119 })).toBe('r1/load:120');
});

test('jumps to a line, a time of day, an elapsed time, or a date', () => {
  const startedAt = Date.UTC(2026, 0, 1, 23, 59, 0);
  expect(parseGoToTarget('1,200', startedAt)).toEqual({ line: 1199 });
  expect(parseGoToTarget('+90s', startedAt)).toEqual({ time: startedAt + 90_000 });
  expect(parseGoToTarget('+1:30', startedAt)).toEqual({ time: startedAt + 90_000 });
  expect(parseGoToTarget('00:00:10', startedAt, 'UTC')).toEqual({ time: startedAt + 70_000 });
  expect(parseGoToTarget('00:59', startedAt, 'Europe/Berlin')).toEqual({ time: startedAt });
  expect(parseGoToTarget('2026-01-02T00:00:00Z', startedAt)).toEqual({ time: startedAt + 60_000 });
  for (const wrong of ['', '0', 'soon', '12:', '+x'])
    expect(parseGoToTarget(wrong, startedAt)).toBeUndefined();
  expect(parseGoToTarget('+90s', undefined)).toBeUndefined();
});

test('a time next to a line is as precise as known', () => {
  expect(writeLineTime(61_230, 'relative', 0)).toBe('+1:01.2');
  expect(writeLineTime(3_661_000, 'relative', 0)).toBe('+1:01:01.0');
  expect(writeLineTime(undefined, 'relative', 0)).toBe('');
});

test('groups are detected by their markers, also by the engine', () => {
  expect(parseGroupMarker('::group::Install \u001B[1mall')).toEqual({ kind: 'begin', title: 'Install all' });
  expect(parseGroupMarker('##[endgroup]')).toEqual({ kind: 'end' });
  expect(parseGroupMarker('a group of lines')).toBeUndefined();
  const find = (text: string) => new RegExp(groupMarkerPattern).exec(text)?.[0].length;
  expect(find('::endgroup::')).toBe(12);
  expect(find('##[endgroup]')).toBe(12);
  expect(find('::group::x')).toBeLessThan(12);
  expect(find('##[group]x')).toBeLessThan(12);
  expect(find('regroup')).toBeUndefined();
});

test('links and matches are highlighted across colours', () => {
  const pieces = readAnsiLine('see \u001B[31mhttps://a.example/\u001B[0mx (done).');
  const plain = pieces.map(({ text }) => text).join('');
  expect(plain).toBe('see https://a.example/x (done).');
  expect(findLinks(plain)).toEqual([{ from: 4, to: 23, href: 'https://a.example/x' }]);
  const marked = splitAtSpans(pieces, [{ from: 2, to: 6 }], (piece) => ({
    ...piece,
    styles: [...piece.styles, 'hit'],
  }));
  expect(marked.filter(({ styles }) => styles.includes('hit')).map(({ text }) => text)).toEqual(['e ', 'ht']);
  expect(marked.map(({ text }) => text).join('')).toBe(plain);
});

test('formats byte counts', () => {
  expect(writeHexRow(1, 'Hi\u0000\u00FF')).toBe(
    `00000010  ${'48 69 00 ff'.padEnd(23)}  ${' '.repeat(23)}  |Hi..|`,
  );
});
