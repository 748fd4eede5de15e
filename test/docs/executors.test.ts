import { describe, expect, it } from 'vitest';
import { executorTypes, type ExecutorType } from '../../core/model/executor-config.ts';
import { executorRules } from '../../core/spec/executors/rules.ts';
import { readCodeSpans, readPage, readTable } from './read-page.ts';

const types = readTable(readPage('docs/workflows.md'), 'Step fields').find(([key]) => key === '`type`')!;

/** The page linked in the row of `type`. */
function findPage(type: ExecutorType): string {
  const [, file] = new RegExp(`\\[\`${type}\`\\]\\((executors/[^)]+)\\)`).exec(types[3]!) ?? [];
  expect(
    file,
    `docs/workflows.md, row "type": a link to the page of "${type}" in docs/executors`,
  ).toBeDefined();
  return `docs/${file}`;
}

describe.each(executorTypes)('the documentation of steps of type %s', (type) => {
  it('lists every field of "config"', () => {
    const rows = readTable(readPage(findPage(type)), 'Fields of `config`');
    const listed = rows.flatMap(([cell = '']) => readCodeSpans(cell));
    expect(listed.sort()).toEqual(Object.keys(executorRules[type].table).sort());
  });
});
