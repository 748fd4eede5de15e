import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NextFive } from '../../../renderer/features/schedules/next-five.tsx';

const sources = import.meta.glob<string>('../../../renderer/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('dates have one format everywhere: the day before the month', () => {
  const others = Object.entries(sources)
    .filter(([, text]) =>
      /DateTimeFormat\('(?!en-GB'|en', \{ timeZone)|\.toLocale(?:Date|Time)String\(/.test(text),
    )
    .map(([file]) => file);
  expect(Object.keys(sources).length).toBeGreaterThan(300);
  expect(others).toEqual([]);
});

test('the next times of a schedule have that format', () => {
  render(<NextFive start={['0 6 24 11 *']} zone="UTC" words="Every 24 November" />);
  const [first] = screen.getAllByRole('listitem');
  expect(first!.textContent).toMatch(/^\w{3},? 24 Nov,? (?:20\d\d,? )?06:00/);
});
