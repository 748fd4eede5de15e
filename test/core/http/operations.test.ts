import { beforeEach } from 'vitest';
import { seedBooks, bookshopSchema, describeOnGateways } from './gateway-harness.ts';
import { defineCallAndErrorCases } from './calls-and-refusals.cases.ts';
import { defineReads } from './reads.cases.ts';
import { defineWrites } from './writes.cases.ts';

// In one file, which opens each database once.
describeOnGateways('operations', bookshopSchema, (scene) => {
  beforeEach(async () => {
    const { under } = await scene();
    await under.database.runScript(seedBooks);
  });
  defineReads(scene);
  defineWrites(scene);
  defineCallAndErrorCases(scene);
});
