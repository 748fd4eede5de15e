/** Conditions under which this installation can update itself. */
export interface InstallInfo {
  readonly isPackaged: boolean;
  /** Whether the package contains an update feed (`app-update.yml`). */
  readonly hasFeed: boolean;
  /** For testing updates in development. */
  readonly forced: boolean;
}

/** Returns why updates are unavailable; undefined if they are available. */
export function updatesUnavailableReason({ isPackaged, hasFeed, forced }: InstallInfo): string | undefined {
  if (!isPackaged && !forced) return 'Development build. Update it from the repository.';
  if (!hasFeed) return 'This package has no update source. Install new versions manually.';
  return undefined;
}
