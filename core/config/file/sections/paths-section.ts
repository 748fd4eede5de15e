import { folderVariables } from '../../home.ts';
import { optionalKey, type ConfigTable } from '../config-key.ts';
import { filePath } from '../values/read-texts.ts';

/** Parts of an installation that lie elsewhere than in its home; what is left out lies there. */
export const pathsSection = {
  /** Workflow files. */
  dagsDir: optionalKey(filePath, ...folderVariables.dagsDir),
  /** Logs of runs from now on; those of earlier runs stay where they are. */
  logDir: optionalKey(filePath, ...folderVariables.logDir),
  /** Database, users, tokens and keys. */
  dataDir: optionalKey(filePath, ...folderVariables.dataDir),
  /** The base configuration, which has to be there when it is named. */
  baseConfig: optionalKey(filePath, 'ENGINE_BASE_CONFIG'),
} as const satisfies ConfigTable;
