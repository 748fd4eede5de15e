import type { Logger } from '../base/logger.ts';
import { loadEngineConfig, type ConfigFlags, type EngineConfig } from '../config/engine-config.ts';
import { putBackHome } from '../config/interrupted-restore.ts';
import { formatDiagnostic } from '../spec/format-diagnostic.ts';

interface ConfigWish {
  readonly home: string;
  /** See `ConfigPlace`; so is the next one. */
  readonly configFile?: string;
  readonly configFlags?: ConfigFlags;
  readonly logger: Logger;
}

/**
 * The configuration of a home, which is put back first when a restore was killed halfway; both may give warnings.
 * Throws `invalid_config`, and `still_running` during a restore.
 */
export function readHomeConfig(
  { home, configFile, configFlags = {}, logger }: ConfigWish,
  environment: NodeJS.ProcessEnv,
): EngineConfig {
  const mended = putBackHome(home);
  if (mended !== undefined) logger.warn(mended);
  const { config, warnings } = loadEngineConfig({ home, environment, file: configFile, flags: configFlags });
  for (const warning of warnings) logger.warn(formatDiagnostic(warning));
  return config;
}
