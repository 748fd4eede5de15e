import type { Logger } from '../base/logger.ts';
import {
  loadEngineConfig,
  type ConfigFlags,
  type EngineConfig,
  type LoadedConfig,
} from '../config/engine-config.ts';
import { putBackHome } from '../config/interrupted-restore.ts';
import { processEnvironment } from '../config/process-environment.ts';
import { HostEnvironment } from '../process/host-environment.ts';
import { formatDiagnostic } from '../spec/format-diagnostic.ts';

interface ConfigWish {
  readonly home: string;
  /** See `ConfigPlace`; so is the next one. */
  readonly configFile?: string;
  readonly configFlags?: ConfigFlags;
  readonly logger: Logger;
  /** Told of what counts before anything is said of it. */
  readonly onConfig?: (config: EngineConfig) => void;
}

/** What holds for a home, and for the runs of this process. */
export interface HomeConfig extends Pick<LoadedConfig, 'config' | 'paths'> {
  /** As in `processEnvironment`, until the host changes it. */
  readonly own: HostEnvironment;
}

/**
 * The configuration of a home, which is put back first when a restore was killed halfway; both may give warnings.
 * Throws `invalid_config`, and `still_running` during a restore.
 */
export function readHomeConfig(
  { home, configFile, configFlags = {}, logger, onConfig }: ConfigWish,
  environment: NodeJS.ProcessEnv,
): HomeConfig {
  const mended = putBackHome(home);
  const troubles = mended === undefined ? [] : [mended];
  try {
    const place = { home, environment, file: configFile, flags: configFlags };
    const { config, paths, warnings } = loadEngineConfig(place);
    onConfig?.(config);
    troubles.push(...warnings.map(formatDiagnostic));
    return { config, paths, own: new HostEnvironment(processEnvironment(environment, config)) };
  } finally {
    for (const trouble of troubles) logger.warn(trouble);
  }
}
