import path from 'node:path';

/** Where the base configuration is looked for. */
export interface BaseConfigPlace {
  /** Absolute. */
  readonly file: string;
  /** Somebody named it, so that it has to be there. */
  readonly isNamed: boolean;
}

/**
 * `ENGINE_BASE_CONFIG`, whose relative paths count from the current directory, else `base.yaml` in the home.
 * @param home absolute
 */
export function findBaseConfig(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): BaseConfigPlace {
  const named = environment['ENGINE_BASE_CONFIG'];
  if (named !== undefined && named !== '') return { file: path.resolve(named), isNamed: true };
  return { file: path.join(home, 'base.yaml'), isNamed: false };
}
