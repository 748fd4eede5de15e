import { beforeAll } from 'vitest';
import { readCatalog } from '../../../../core/gateway/catalog/read-catalog.ts';
import { describeOnDatabases } from '../../../rig/databases/describe-on-databases.ts';
import { FakeClock } from '../../../rig/fake-clock.ts';
import { testCalls } from './calls.cases.ts';
import { testDomains } from './domains.cases.ts';
import { testEmbedding } from './embedding.cases.ts';
import { testFilters } from './filters.cases.ts';
import { testReads } from './reads.cases.ts';
import { ShopGateway, shopSql } from './shop.ts';
import { testWrites } from './writes.cases.ts';

describeOnDatabases('plans', (under) => {
  let desk: ShopGateway;

  beforeAll(async () => {
    const { database } = under();
    await database.runScript(shopSql);
    const scope = { schemas: ['shop'], extraSearchPath: [], clock: new FakeClock() };
    desk = new ShopGateway(database, await readCatalog(database, scope));
  }, 60_000);

  for (const define of [testReads, testFilters, testEmbedding, testWrites, testCalls, testDomains])
    define(() => desk);
});
