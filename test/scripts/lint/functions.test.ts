import { expect, it } from 'vitest';
import { measureFunctions } from '../../../scripts/lint/source-metrics.ts';

it('counts the lines of code of each function, including nested ones', () => {
  const text = [
    'export function outer(): void {',
    '  // A comment.',
    '',
    '  /* One of',
    '     two lines. */',
    '  const inner = (): number => 1;',
    '  inner();',
    '}',
    'class Box {',
    '  open(): void {',
    '    this.open();',
    '  }',
    '}',
  ].join('\n');
  expect(measureFunctions('a.ts', text)).toEqual([
    { path: 'a.ts:1', lines: 4 },
    { path: 'a.ts:6', lines: 1 },
    { path: 'a.ts:10', lines: 3 },
  ]);
});

it('parses JSX, where a comment is a line in braces', () => {
  const text = ['const Page = () => (', '  <p>', '    {/* Why. */}', '    text', '  </p>', ');'].join('\n');
  expect(measureFunctions('page.tsx', text)).toEqual([{ path: 'page.tsx:1', lines: 5 }]);
});
