import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiTestServer, ApiServer, runByApi } from './harness/run-by-api.ts';
import { compare } from './harness/compare.ts';
import { createCaseFolders, removeCaseFolders } from './harness/case-result.ts';
import { mergeEnvironments, readCasesFor } from './harness/cases.ts';

/** Parallel servers: a case mostly waits for its run. */
const benchCount = 4;

describe.concurrent('conformance through the API', () => {
  const cases = readCasesFor('api');
  const free: ApiTestServer[] = [];
  const waiting: ((bench: ApiTestServer) => void)[] = [];

  const restore = (bench: ApiTestServer): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(bench);
    else next(bench);
  };
  const take = async (): Promise<ApiTestServer> =>
    free.pop() ?? new Promise<ApiTestServer>((resolve) => waiting.push(resolve));

  beforeAll(async () => {
    const given = mergeEnvironments(cases);
    const open = async (): Promise<ApiTestServer> => {
      const ground = createCaseFolders();
      return { ground, server: await ApiServer.start(ground, given) };
    };
    free.push(...(await Promise.all(Array.from({ length: benchCount }, open))));
  });

  afterAll(async () => {
    for (const { server, ground } of free) {
      await server.stop();
      removeCaseFolders(ground);
    }
  });

  for (const item of cases) {
    it(`${item.title} (api)`, async ({ signal }) => {
      const bench = await take();
      try {
        const differences = compare(item, await runByApi(item, bench, signal));
        expect(differences.join('\n')).toBe('');
      } finally {
        restore(bench);
      }
    });
  }
});
