import path from 'node:path';

/** Where the base configuration is looked for. */
export interface BaseConfigPlace {
  /** Absolute. */
  readonly file: string;
  /** Somebody named it, so that it has to be there. */
  readonly isNamed: boolean;
}

/**
 * The file that the configuration names (`paths.baseConfig`, `ENGINE_BASE_CONFIG`), else `base.yaml` in the home.
 * @param home absolute
 * @param named absolute
 */
export const findBaseConfig = (home: string, named: string | undefined): BaseConfigPlace => ({
  file: named ?? path.join(home, 'base.yaml'),
  isNamed: named !== undefined,
});
