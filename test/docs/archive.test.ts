import { expect, it } from 'vitest';
import { archiveExitCodes } from '../../core/executors/archive/archive-error.ts';
import { readCodeSpans, readPage, readTable } from './read-page.ts';

const page = readPage('docs/executors/archive.md');

it('docs/executors/archive.md lists every exit code', () => {
  const rows = readTable(page, 'Summary and exit codes').map(([code, name]) => [
    readCodeSpans(name!)[0],
    Number(code),
  ]);
  expect(Object.fromEntries(rows)).toEqual(archiveExitCodes);
});
