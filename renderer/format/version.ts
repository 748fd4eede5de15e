import type { VersionView } from '../../core/contract/workflows/versions.ts';

/** Label of each kind of version. */
export const versionLabel: Readonly<Record<VersionView['kind'], string>> = {
  created: 'Created',
  saved: 'Saved',
  restored: 'Restored',
  found: 'Changed on disk',
  renamed: 'Renamed',
  unsaved: 'Draft of a deleted file',
  deleted: 'Deleted',
};
