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
  if (!isPackaged && !forced)
    return 'This is a development copy; it is brought up to date by its repository.';
  if (!hasFeed) return 'This package names no place for new versions; install them over this one.';
  return undefined;
}
