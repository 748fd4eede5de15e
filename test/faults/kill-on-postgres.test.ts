import { describe, expect, it } from 'vitest';
import { onTestCleanup } from '../harness/resources.ts';
import { missingForPgBouncer, TestPgBouncer } from '../harness/servers/pgbouncer.ts';
import { missingForPostgres, sharePostgres } from '../harness/servers/postgres.ts';
import { storePoints } from './points.ts';
import { withFaultTestHome } from './rig/fault-home.ts';
import { casesForPoints } from './rig/kill.ts';
import {
  completeKilledRecovery,
  completeKilledRun,
  keepKilledSchedule,
  startKilledQueue,
} from './rig/scenarios.ts';
import { withServerDatabase } from './rig/server-database.ts';

const missing = missingForPostgres(15);
const lack = missing === undefined ? '' : ` (missing here: ${missing})`;

const scenarios = {
  run: completeKilledRun,
  recovery: completeKilledRecovery,
  queue: startKilledQueue,
  schedule: keepKilledSchedule,
};

describe.skipIf(missing !== undefined).concurrent(`a host with a database server, killed${lack}`, () => {
  for (const [name, points] of Object.entries(storePoints)) {
    const check = scenarios[name as keyof typeof scenarios];
    it.each(casesForPoints(points))(`${name} at %s: nothing is lost or repeated`, async (_title, moment) => {
      const checked = withServerDatabase((url) => withFaultTestHome((home) => check(home, moment), url));
      await expect(checked).resolves.toBeUndefined();
    });
  }
});

const lacking = missingForPgBouncer();
const reason = lacking === undefined ? '' : ` (missing here: ${lacking})`;

describe.skipIf(lacking !== undefined)(`a host behind PgBouncer in transaction mode, killed${reason}`, () => {
  it('run at commit.after@2: nothing is lost or repeated', async () => {
    const server = await sharePostgres(15);
    const pooler = await TestPgBouncer.start(server);
    onTestCleanup(() => pooler.close());
    const checked = withServerDatabase((url) =>
      withFaultTestHome(
        (home) => completeKilledRun(home, { point: 'commit.after@2', afterMs: 0 }),
        url.replace(`:${server.port}/`, `:${pooler.port}/`),
      ),
    );
    await expect(checked).resolves.toBeUndefined();
  });
});
