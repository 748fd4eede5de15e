import { openServerDatabase } from '../../../../core/store/open-store.ts';
import { simulateRuns } from '../../../simulation/simulate-runs.ts';
import { describeOnPostgres, newSchemaUrl } from '../../../harness/databases.ts';
import { defaultVersions, sharePostgres } from '../../../harness/servers/postgres.ts';

describeOnPostgres(
  'hosts over one database',
  (version) => {
    simulateRuns(async () => {
      const url = newSchemaUrl(await sharePostgres(version));
      return [1, 2, 3].map(() => openServerDatabase(url));
    }, 0.01);
  },
  defaultVersions,
);
