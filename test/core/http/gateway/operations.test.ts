import { beforeEach } from 'vitest';
import { books, bookshop, describeOnGateways } from './gateway-harness.ts';
import { defineCallsAndRefusals } from './calls-and-refusals.cases.ts';
import { defineReads } from './reads.cases.ts';
import { defineWrites } from './writes.cases.ts';

// In one file, which opens each database once.
describeOnGateways('operations', bookshop, (scene) => {
  beforeEach(async () => {
    const { under } = await scene();
    await under.database.runScript(books);
  });
  defineReads(scene);
  defineWrites(scene);
  defineCallsAndRefusals(scene);
});
