import { describe } from 'vitest';
import { openDatabase } from '../../core/store/open-store.ts';
import { simulateRuns } from './simulate-runs.ts';

describe('hosts over one database, SQLite', () => {
  simulateRuns(() => Promise.resolve([openDatabase(':memory:')]));
});
