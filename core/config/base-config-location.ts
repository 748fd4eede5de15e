import path from 'node:path';

/** Path of the base configuration. */
export interface BaseConfigLocation {
  /** Absolute path. */
  readonly file: string;
  /** Set explicitly, so that the file must exist. */
  readonly isNamed: boolean;
}

/**
 * Returns the file that the configuration names (`paths.baseConfig`, `ENGINE_BASE_CONFIG`), else `base.yaml` in the
 * home.
 * @param home absolute path
 * @param named absolute path
 */
export const findBaseConfig = (home: string, named: string | undefined): BaseConfigLocation => ({
  file: named ?? path.join(home, 'base.yaml'),
  isNamed: named !== undefined,
});
