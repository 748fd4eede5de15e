import { expect, it } from 'vitest';
import { throttledLogger } from '../../../core/base/logger.ts';

it('logs the same warning once a minute, with a count', () => {
  let now = 0;
  const said: string[] = [];
  const write = (message: string, fields?: object): void =>
    void said.push(`${message} ${JSON.stringify(fields)}`);
  const logger = throttledLogger({ info: write, warn: write, error: write }, { monotonic: () => now });
  for (; now < 120_000; now += 1000) logger.warn('full', { disk: 1 });
  expect(said).toEqual(['full {"disk":1}', 'full {"disk":1,"repeated":59}']);
  logger.warn('full', { disk: 2 });
  logger.info('same');
  logger.info('same');
  expect(said.slice(2)).toEqual(['full {"disk":2}', 'same undefined', 'same undefined']);
});
