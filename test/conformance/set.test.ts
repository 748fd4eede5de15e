import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Expectation, mergeEnvironments, readTopics, setFolder } from './harness/cases.ts';

/** Number of cases; it only grows. */
const atLeast = 560;

const topics = readTopics();
const cases = topics.flatMap((topic) => topic.cases);

describe('conformance suite', () => {
  it('numbers its topics without duplicates', () => {
    const numbers = topics.map(({ folder }) => /^(\d{3})-[a-z0-9]+(-[a-z0-9]+)*$/.exec(folder)?.[1]);
    expect(numbers).not.toContain(undefined);
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  it.each(topics)('explains the rule in $folder/README.md', ({ folder }) => {
    const page = readFileSync(join(setFolder, folder, 'README.md'), 'utf8');
    const [title, , ...rule] = page.trimEnd().split('\n');
    expect(title).toMatch(/^# \S/);
    expect(rule.join('').length).toBeGreaterThan(40);
  });

  it.each(topics)('numbers the cases of $folder from 01 without a gap', ({ cases: listed }) => {
    const numbers = listed.map(({ case: name }) => Number(name.slice(0, 2)));
    expect(numbers).toEqual(listed.map((_, index) => index + 1));
  });

  it('has a case for each title', () => {
    const titles = cases.map(({ title }) => title.replace(/^(\S+)\/\d\d /, '$1/'));
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
    expect(cases.length).toBeGreaterThanOrEqual(atLeast);
  });

  it('has one value for each variable of the engine', () => {
    expect(() => mergeEnvironments(cases)).not.toThrow();
  });

  it('expects more than the status of every run', () => {
    const isBare = (expected: Expectation): boolean =>
      'status' in expected && Object.keys(expected).every((key) => key === 'status' || key === 'exit');
    const bare = cases.filter(({ expect: expected, afterwards = [] }) =>
      [expected, ...afterwards.map((rerun) => rerun.expect)].some(isBare),
    );
    expect(bare.map(({ title }) => title)).toEqual([]);
  });
});
