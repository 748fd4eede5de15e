import { expect, test } from 'vitest';
import {
  findProducer,
  readOutputGlobs,
  type ArtifactStep,
} from '../../../../core/api/handlers/artifact-handlers.ts';

const keeper = (
  name: string,
  outputFiles: string[],
  ...spans: readonly (readonly [startedAt: number, finishedAt?: number])[]
): ArtifactStep => {
  const node = { section: 'step', name } as const;
  const attempts = spans.map(([startedAt, finishedAt], index) => ({
    ...{ node, attempt: index + 1, dir: `${name}.${index + 1}`, startedAt },
    ...(finishedAt === undefined ? {} : { finishedAt }),
  }));
  return { globs: readOutputGlobs({ outputFiles }), record: { node, attempts } };
};

test('attributes a file to the step whose patterns match, and to the attempt that ran then', () => {
  const keepers = [
    keeper('train', ['model.bin', './logs/**/*.txt'], [1000, 2000], [5000, 9000]),
    keeper('plot', ['plots/*.png'], [10_000]),
  ];
  const train = { step: 'train', section: 'step' };
  expect(findProducer(keepers, { name: 'model.bin', at: 8000 })).toEqual({ ...train, attempt: 2 });
  expect(findProducer(keepers, { name: 'logs/a/b.txt', at: 1500 })).toEqual({ ...train, attempt: 1 });
  expect(findProducer(keepers, { name: 'plots/a.png', at: 20_000 })).toMatchObject({
    step: 'plot',
    attempt: 1,
  });
  expect(findProducer(keepers, { name: 'plots/deeper/a.png', at: 20_000 })).toBeUndefined();
});

test('tells steps that store the same names apart by time, and leaves ambiguous ones open', () => {
  const keepers = [keeper('one', ['*.csv'], [1000, 2000]), keeper('other', ['*.csv'], [2001, 9000])];
  expect(findProducer(keepers, { name: 'a.csv', at: 1990 })?.step).toBe('one');
  expect(findProducer(keepers, { name: 'a.csv', at: 2500 })?.step).toBe('other');
  expect(findProducer(keepers, { name: 'a.csv', at: 60_000 })).toBeUndefined();
  const together = [keeper('one', ['*.csv'], [1000, 9000]), keeper('other', ['*.csv'], [1000, 9000])];
  expect(findProducer(together, { name: 'a.csv', at: 5000 })).toBeUndefined();
});

test('picks the last started of consecutive attempts, by the clock of the file system', () => {
  const keepers = [keeper('one', ['*.csv'], [1000, 2000], [2003, 2010], [3500, 3600])];
  const attemptAt = (at: number) => findProducer(keepers, { name: 'a.csv', at })?.attempt;
  // Behind the clock of attempts, or stored a moment after the end.
  expect([2001, 2005, 2012, 2900].map(attemptAt)).toEqual([2, 2, 2, 2]);
  expect([1500, 1990, 3550].map(attemptAt)).toEqual([1, 1, 3]);
  expect(attemptAt(500)).toBe(1);
});

test('tolerates a bucket clock that is slightly late, and retains only the last attempt of a step', () => {
  const keepers = [keeper('one', ['*.csv'], [1000, 2000])];
  expect(findProducer(keepers, { name: 'a.csv', at: 3500 })).toMatchObject({ step: 'one', attempt: 1 });
  expect(findProducer(keepers, { name: 'a.csv', at: 900_000 })).toMatchObject({ step: 'one', attempt: 1 });
});
