import { expect, test } from 'vitest';
import { appendSample } from '../../../../renderer/features/system/load-charts.tsx';

const at = (second: number): string => new Date(second * 1000).toISOString();
const points = (...seconds: number[]) => seconds.map((second) => ({ timestamp: at(second), value: second }));

test('a sample is added once to each series, and samples older than the chart are dropped', () => {
  const seen = {
    cpu: points(0, 5, 10),
    memory: points(0, 5, 10, 15),
    disk: [],
    load: points(5),
    intervalSec: 5,
    machine: { cores: 2, memoryBytes: 1 },
  };
  const next = appendSample(seen, { timestamp: at(15), cpu: 15, memory: 99, disk: 15 }, 10_000);
  expect(next).toEqual({ ...seen, cpu: points(5, 10, 15), disk: points(15) });
});
