import { expect, test } from 'vitest';
import { trimToColumns } from '../../../../renderer/features/log/log-actions.ts';
import { readAnsiLine } from '../../../../renderer/features/log/log-line.tsx';
import {
  followAfterScroll,
  countNewLines,
  initialFollowing,
} from '../../../../renderer/features/log/row-list.ts';

const place = (scrollTop: number, scrollHeight = 1000) => ({ scrollTop, scrollHeight, clientHeight: 200 });

test('scrolling up stops following and counts new lines', () => {
  const atEnd = followAfterScroll(initialFollowing, place(800), 50);
  expect(atEnd.following).toBe(true);
  const away = followAfterScroll(atEnd, place(700), 50);
  expect(away).toMatchObject({ following: false, seenLines: 50 });
  expect(countNewLines(away, 73)).toBe(23);
  expect(countNewLines(atEnd, 73)).toBe(0);
});

test('a growing log, or a view that changes its height, keeps following', () => {
  const atEnd = followAfterScroll(initialFollowing, place(800), 50);
  const grown = followAfterScroll(atEnd, place(800, 1400), 70);
  expect(grown.following).toBe(true);
});

test('scrolling further up keeps the count, reaching the end resumes following', () => {
  const away = followAfterScroll(followAfterScroll(initialFollowing, place(800), 50), place(700), 50);
  const further = followAfterScroll(away, place(300), 60);
  expect(further).toMatchObject({ following: false, seenLines: 50 });
  expect(followAfterScroll(further, place(795), 60).following).toBe(true);
});

test('converts colours to styles and drops other control characters', () => {
  expect(readAnsiLine('plain\u0007 text')).toEqual([{ text: 'plain text', styles: [] }]);
  expect(readAnsiLine('\u001B[1;31mbad\u001B[0m rest')).toEqual([
    { text: 'bad', styles: ['bold', 'red'] },
    { text: ' rest', styles: [] },
  ]);
  expect(readAnsiLine('\u001B[92mok')[0]!.styles).toEqual(['green']);
  expect(readAnsiLine('\u001B[38;2;10;20;30mx')[0]).toMatchObject({ colour: '10, 20, 30', styles: [] });
});

test('shows only the last state of a progress line, and truncates a huge line', () => {
  expect(readAnsiLine('10 %\r20 %\rdone\r')).toEqual([{ text: 'done', styles: [] }]);
  expect(readAnsiLine('x'.repeat(70_000))[0]!.text).toHaveLength(4_001);
});

test('a selection is cut at the columns of its first and its last line', () => {
  const all = { fromColumn: 0, toColumn: Number.POSITIVE_INFINITY };
  expect(trimToColumns('one\ntwo\nthree', all)).toBe('one\ntwo\nthree');
  expect(trimToColumns('one\ntwo\nthree', { fromColumn: 1, toColumn: 2 })).toBe('ne\ntwo\nth');
  expect(trimToColumns('one\ntwo\nthree', { fromColumn: Number.POSITIVE_INFINITY, toColumn: 0 })).toBe(
    '\ntwo\n',
  );
  expect(trimToColumns('one', { fromColumn: 1, toColumn: 2 })).toBe('n');
});
