import { expect, test } from 'vitest';
import { openClient } from '../../../../core/contract/client/client.ts';
import { FakeClock } from '../../../harness/fakes.ts';

test('marks a call that must outlive its page as keepalive, unless it is too large', async () => {
  const asked: (boolean | undefined)[] = [];
  const client = openClient({
    url: 'http://127.0.0.1:1',
    clock: new FakeClock(),
    fetch: (_url, init) => {
      asked.push(init?.keepalive);
      return Promise.resolve(Response.json({ revision: 1 }));
    },
  });
  const keep = (spec: string, outlivesPage: boolean) =>
    client.call('drafts.put', { fileName: 'etl', spec, revision: 0 }, { outlivesPage });
  await keep('steps: []\n', true);
  await keep('steps: []\n', false);
  await keep('#'.repeat(70_000), true);
  expect(asked).toEqual([true, undefined, undefined]);
});
