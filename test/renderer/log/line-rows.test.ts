import { expect, test } from 'vitest';
import { readGoal } from '../../../renderer/features/log/bar/read-goal.ts';
import { writeLineTime } from '../../../renderer/features/log/bar/line-time.ts';
import { findLinks, markSpans, readAnsiLine } from '../../../renderer/features/log/ansi-line.ts';
import { anyGroupMark, readGroupMark } from '../../../renderer/features/log/group-line.ts';
import { writeHexRow } from '../../../renderer/features/log/hex/hex-row.ts';
import {
  extendChosen,
  readChosen,
  writeChosen,
  writeReference,
} from '../../../renderer/features/log/line-choice.ts';
import {
  foldedRows,
  lineAtTime,
  mergedRows,
  singleRows,
  timeOf,
  type LineRows,
} from '../../../renderer/features/log/rows/line-rows.ts';
import {
  afterSheetScroll,
  lineHeight,
  mostSheetHeight,
  rowsHeight,
  rowsInView,
  scrollTo,
  sheetHeight,
} from '../../../renderer/features/log/rows/virtual-scroll.ts';

const marks = { at: [1000, 2000, 3000], stdout: [2, 2, 5], stderr: [0, 3, 3] };
const listRows = (rows: LineRows): string[] =>
  Array.from({ length: rows.count }, (_, row) => {
    const place = rows.at(row);
    expect(rows.rowOf(place)).toBe(row);
    return `${place.stream === 'stdout' ? 'o' : 'e'}${place.line}`;
  });

test('both streams are merged by their times, and what is not noted yet comes last', () => {
  const rows = mergedRows(marks, { stdout: 6, stderr: 4 });
  expect(listRows(rows)).toEqual(['o0', 'o1', 'e0', 'e1', 'e2', 'o2', 'o3', 'o4', 'o5', 'e3']);
  expect(listRows(mergedRows({ at: [], stdout: [], stderr: [] }, { stdout: 1, stderr: 1 }))).toEqual([
    'o0',
    'e0',
  ]);
});

test('a line has the first time at which it was finished, and a time the first line after it', () => {
  expect(timeOf({ stream: 'stdout', line: 1 }, marks, undefined)).toBe(1000);
  expect(timeOf({ stream: 'stdout', line: 2 }, marks, undefined)).toBe(3000);
  expect(timeOf({ stream: 'stdout', line: 5 }, marks, undefined)).toBeUndefined();
  expect(timeOf({ stream: 'stdout', line: 5 }, marks, 4000)).toBe(4000);
  expect(lineAtTime('stderr', 1500, marks)).toBe(0);
  expect(lineAtTime('stdout', 2500, marks)).toBe(2);
});

test('folded lines take no rows, and are found where their group begins', () => {
  const rows = foldedRows(singleRows('stdout', 12), [
    { stream: 'stdout', head: 2, last: 5 },
    { stream: 'stdout', head: 8, last: 9 },
  ]);
  expect(listRows(rows)).toEqual(['o0', 'o1', 'o2', 'o6', 'o7', 'o8', 'o10', 'o11']);
  expect(rows.rowOf({ stream: 'stdout', line: 4 })).toBe(2);
  expect(rows.rowOf({ stream: 'stdout', line: 9 })).toBe(5);
});

test('a sheet is never higher than Chromium can place, and its ends are those of the rows', () => {
  const area = { rows: 50_000_000, viewHeight: 600 };
  expect(sheetHeight(area)).toBe(mostSheetHeight);
  expect(scrollTo(Infinity, area)).toEqual({ top: rowsHeight(area) - 600, sheetTop: mostSheetHeight - 600 });
  const atEnd = afterSheetScroll(scrollTo(0, area), mostSheetHeight - 600, area);
  expect(rowsInView(atEnd.top, area, 5).to).toBe(area.rows);
  expect(afterSheetScroll(atEnd, 0, area).top).toBe(0);
});

test('a short way is as many pixels, however long the log, and every line can be reached', () => {
  const area = { rows: 50_000_000, viewHeight: 600 };
  const start = scrollTo(25_000_000 * lineHeight, area);
  const next = afterSheetScroll(start, start.sheetTop + 100, area);
  expect(next.top - start.top).toBe(100);
  let state = scrollTo(0, area);
  for (let turn = 0; turn < 2_000; turn += 1) {
    const before = state.top;
    state = afterSheetScroll(state, state.sheetTop + 120, area);
    expect(state.top - before).toBe(120);
    expect(state.sheetTop).toBeLessThan(mostSheetHeight);
  }
});

test('a log that fits is scrolled as any page', () => {
  const area = { rows: 1000, viewHeight: 600 };
  expect(afterSheetScroll(scrollTo(0, area), 5000, area)).toEqual({ top: 5000, sheetTop: 5000 });
});

test('lines are named in addresses and notes as people count them', () => {
  expect(readChosen('120')).toEqual({ stream: 'stdout', from: 119, to: 119 });
  expect(readChosen('stderr:7-3')).toEqual({ stream: 'stderr', from: 2, to: 6 });
  for (const wrong of [null, '', '0', 'x', '1-', '-3']) expect(readChosen(wrong)).toBeUndefined();
  const chosen = extendChosen({ stream: 'stdout', from: 9, to: 9 }, 'stdout', 4);
  expect(writeChosen(chosen)).toBe('5-10');
  const address = { name: 'etl', dagRunId: 'r1', step: 'load' };
  expect(writeReference(address, { stream: 'stdout', from: 119, to: 119 })).toBe('r1/load:120');
});

test('a place to go to is a line, a time of the day, a time since the beginning, or a date', () => {
  const startedAt = Date.UTC(2026, 0, 1, 23, 59, 0);
  expect(readGoal('1,200', startedAt)).toEqual({ line: 1199 });
  expect(readGoal('+90s', startedAt)).toEqual({ time: startedAt + 90_000 });
  expect(readGoal('+1:30', startedAt)).toEqual({ time: startedAt + 90_000 });
  expect(readGoal('00:00:10', startedAt, 'UTC')).toEqual({ time: startedAt + 70_000 });
  expect(readGoal('00:59', startedAt, 'Europe/Berlin')).toEqual({ time: startedAt });
  expect(readGoal('2026-01-02T00:00:00Z', startedAt)).toEqual({ time: startedAt + 60_000 });
  for (const wrong of ['', '0', 'soon', '12:', '+x']) expect(readGoal(wrong, startedAt)).toBeUndefined();
  expect(readGoal('+90s', undefined)).toBeUndefined();
});

test('a time beside a line is as exact as it is known', () => {
  expect(writeLineTime(61_230, 'relative', 0)).toBe('+1:01.2');
  expect(writeLineTime(3_661_000, 'relative', 0)).toBe('+1:01:01.0');
  expect(writeLineTime(undefined, 'relative', 0)).toBe('');
});

test('groups are known by their marks, also to the engine', () => {
  expect(readGroupMark('::group::Install \u001B[1mall')).toEqual({ kind: 'begin', title: 'Install all' });
  expect(readGroupMark('##[endgroup]')).toEqual({ kind: 'end' });
  expect(readGroupMark('a group of lines')).toBeUndefined();
  const find = (text: string) => new RegExp(anyGroupMark).exec(text)?.[0].length;
  expect(find('::endgroup::')).toBe(12);
  expect(find('##[endgroup]')).toBe(12);
  expect(find('::group::x')).toBeLessThan(12);
  expect(find('##[group]x')).toBeLessThan(12);
  expect(find('regroup')).toBeUndefined();
});

test('links and matches are marked across colours', () => {
  const pieces = readAnsiLine('see \u001B[31mhttps://a.example/\u001B[0mx (done).');
  const plain = pieces.map(({ text }) => text).join('');
  expect(plain).toBe('see https://a.example/x (done).');
  expect(findLinks(plain)).toEqual([{ from: 4, to: 23, href: 'https://a.example/x' }]);
  const marked = markSpans(pieces, [{ from: 2, to: 6 }], (piece) => ({
    ...piece,
    styles: [...piece.styles, 'hit'],
  }));
  expect(marked.filter(({ styles }) => styles.includes('hit')).map(({ text }) => text)).toEqual(['e ', 'ht']);
  expect(marked.map(({ text }) => text).join('')).toBe(plain);
});

test('bytes are written as people know them', () => {
  expect(writeHexRow(1, 'Hi\u0000\u00FF')).toBe(
    `00000010  ${'48 69 00 ff'.padEnd(23)}  ${' '.repeat(23)}  |Hi..|`,
  );
});
