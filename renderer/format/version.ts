import type { VersionView } from '../../core/contract/workflows/versions.ts';

/** How a version of a workflow file came to be, in words. */
export const versionWords: Readonly<Record<VersionView['kind'], string>> = {
  created: 'Created',
  saved: 'Saved',
  restored: 'Restored',
  found: 'Changed on disk',
  renamed: 'Renamed',
  unsaved: 'Draft of a deleted file',
  deleted: 'Deleted',
};
