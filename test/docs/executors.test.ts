import { describe, expect, it } from 'vitest';
import { executorTypes, stepTypes } from '../../core/model/step-types.ts';
import { readCodeSpans, readPage, readTable } from './read-page.ts';

describe.each(executorTypes)('the documentation of steps of type %s', (type) => {
  it('lists every field of "config"', () => {
    const rows = readTable(readPage(`docs/executors/${type}.md`), 'Fields of `config`');
    const listed = rows.flatMap(([cell = '']) => readCodeSpans(cell));
    expect(listed.sort()).toEqual(Object.keys(stepTypes[type].config).sort());
  });
});
