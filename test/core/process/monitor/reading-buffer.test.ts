import { describe, expect, it } from 'vitest';
import { ReadingBuffer } from '../../../../core/process/monitor/reading-buffer.ts';

const state = (cpu: number) => ({ cpu, memory: 50, disk: Number.NaN, load: 1.5 });

function fill(ring: ReadingBuffer, from: number, to: number): void {
  for (let at = from; at <= to; at += 1) ring.push(at, state(at % 100));
}

describe('readings', () => {
  it('are stored up to the capacity, the newest ones, in ascending order', () => {
    const ring = new ReadingBuffer(5000);
    fill(ring, 1, 12_345);
    const points = ring.list('cpu', 0);
    expect(points).toHaveLength(5000);
    expect(points[0]).toEqual({ at: 7346, value: 46 });
    expect(points.at(-1)).toEqual({ at: 12_345, value: 45 });
    expect(points.every(({ at }, index) => at === 7346 + index)).toBe(true);
  });

  it('are preserved when the ring grows', () => {
    const ring = new ReadingBuffer(100_000);
    fill(ring, 1, 3000);
    expect(ring.list('cpu', 0).map(({ at }) => at)).toEqual(Array.from({ length: 3000 }, (_, at) => at + 1));
  });

  it('are listed from a time on', () => {
    const ring = new ReadingBuffer(10);
    fill(ring, 1, 25);
    expect(ring.list('load', 24)).toEqual([
      { at: 24, value: 1.5 },
      { at: 25, value: 1.5 },
    ]);
    expect(ring.list('load', 26)).toEqual([]);
  });

  it('omit unknown values', () => {
    const ring = new ReadingBuffer(10);
    fill(ring, 1, 3);
    expect(ring.list('disk', 0)).toEqual([]);
    expect(ring.list('memory', 0)).toHaveLength(3);
  });

  it('after a clock set back are dropped, also in a ring that has wrapped', () => {
    const ring = new ReadingBuffer(10);
    fill(ring, 1, 25);
    ring.push(20, state(7));
    fill(ring, 21, 22);
    expect(ring.list('cpu', 0).map(({ at }) => at)).toEqual([16, 17, 18, 19, 20, 21, 22]);
    expect(ring.list('cpu', 20)[0]?.value).toBe(7);
    fill(ring, 23, 40);
    expect(ring.list('cpu', 0).map(({ at }) => at)).toEqual([31, 32, 33, 34, 35, 36, 37, 38, 39, 40]);
  });
});
