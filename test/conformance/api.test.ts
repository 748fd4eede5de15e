import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiServer } from './harness/api-server.ts';
import { compare } from './harness/compare.ts';
import { makeGround, removeGround } from './harness/place-case.ts';
import { mergeGiven, readCasesFor } from './harness/read-cases.ts';
import { type ApiBench, runByApi } from './harness/run-by-api.ts';

describe('conformance through the API', () => {
  const cases = readCasesFor('api');
  let bench: ApiBench;

  beforeAll(async () => {
    const ground = makeGround();
    bench = { ground, server: await ApiServer.start(ground, mergeGiven(cases)) };
  });

  afterAll(async () => {
    await bench.server.stop();
    removeGround(bench.ground);
  });

  for (const item of cases) {
    it(`${item.title} (api)`, async ({ signal }) => {
      const differences = compare(item, await runByApi(item, bench, signal));
      expect(differences.join('\n')).toBe('');
    });
  }
});
