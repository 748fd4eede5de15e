/** What decides whether this installation can be brought up to date by itself. */
export interface InstallFacts {
  readonly isPackaged: boolean;
  /** Whether the package says where new versions are (`app-update.yml`). */
  readonly hasFeed: boolean;
  /** A release in development tries updates with it. */
  readonly forced: boolean;
}

/** Why there are no updates; undefined when there are. */
export function whyUpdatesAreOff({ isPackaged, hasFeed, forced }: InstallFacts): string | undefined {
  if (!isPackaged && !forced) return 'Development build. Update it from the repository.';
  if (!hasFeed) return 'This package has no update source. Install new versions manually.';
  return undefined;
}
