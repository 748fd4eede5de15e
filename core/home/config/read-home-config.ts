import type { Logger } from '../../base/logger.ts';
import {
  loadEngineConfig,
  type ConfigFlags,
  type ConfigLocation,
  type EngineConfig,
  type LoadedConfig,
} from './engine-config.ts';
import { rollbackRestore } from './interrupted-restore.ts';
import { processEnvironment } from './home.ts';
import { HostEnvironment } from '../../process/environment.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';

interface ReadConfigOptions {
  readonly home: string;
  /** See `ConfigLocation`; so is the next one. */
  readonly configFile?: string;
  readonly configFlags?: ConfigFlags;
  readonly logger: Logger;
  /** Called with the effective configuration before anything is logged about it. */
  readonly onConfig?: (config: EngineConfig) => void;
}

/** The configuration of a home, and of the runs of this process. */
export interface HomeConfig extends Pick<LoadedConfig, 'config' | 'paths' | 'values'> {
  readonly location: ConfigLocation;
  /** As in `processEnvironment`, until the host changes it. */
  readonly hostEnvironment: HostEnvironment;
}

/**
 * Reads the configuration of a home; first completes a restore that was killed halfway. Both may log warnings.
 * @throws `invalid_config`, and `still_running` during a restore
 */
export function readHomeConfig(
  { home, configFile, configFlags = {}, logger, onConfig }: ReadConfigOptions,
  environment: NodeJS.ProcessEnv,
): HomeConfig {
  const rolledBack = rollbackRestore(home);
  const problems = rolledBack === undefined ? [] : [rolledBack];
  try {
    const location = { home, environment, file: configFile, flags: configFlags };
    const { config, paths, values, warnings } = loadEngineConfig(location);
    onConfig?.(config);
    problems.push(...warnings.map(formatDiagnostic));
    const runEnvironment = new HostEnvironment(processEnvironment(environment, config));
    return { config, paths, values, location, hostEnvironment: runEnvironment };
  } finally {
    for (const problem of problems) logger.warn(problem);
  }
}
