import type { HomePaths } from '../config/home.ts';
import { rollbackRestore } from '../config/interrupted-restore.ts';
import { prepareHome } from '../config/prepare-home.ts';
import { openImportStore } from '../store/maintenance/import-runs.ts';
import type { ImportStore } from './ports.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { locationOfHome } from './databases/database-location.ts';

/**
 * Opens the history of a home without an engine. The caller closes it. Throws `home_unusable`, `still_running` during
 * a restore, `database_corrupt`, `database_newer` or `storage_full`.
 */
export function openHome(paths: HomePaths): Store {
  rollbackRestore(paths.home);
  prepareHome(paths);
  return openStore(locationOfHome(paths));
}

/** Opens the history of a home for importing runs of another engine. */
export function openImports(paths: HomePaths): ImportStore {
  rollbackRestore(paths.home);
  prepareHome(paths);
  return openImportStore(paths.database);
}
