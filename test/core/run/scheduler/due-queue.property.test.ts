import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TimeHeap } from '../../../../core/run/scheduler/due-queue.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

it('a heap returns entries in order of time, and none before their time', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 100 })),
      fc.integer({ min: 0, max: 100 }),
      (times, now) => {
        const heap = new TimeHeap<number>();
        for (const time of times) heap.add(time, time);
        const taken: number[] = [];
        for (let item = heap.take(now); item !== undefined; item = heap.take(now)) taken.push(item);
        const sorted = times.toSorted((left, right) => left - right);
        expect(taken).toEqual(sorted.filter((time) => time <= now));
        expect(heap.earliest).toBe(sorted.find((time) => time > now));
      },
    ),
    { numRuns: propertyRuns(300), seed: 4 },
  );
});
