import { folderVariables } from '../../home.ts';
import { optionalKey, type ConfigTable } from '../config-key.ts';
import { filePath } from '../values/read-texts.ts';

/** Parts of an installation outside its home. Default: in the home. */
export const pathsSection = {
  /** Workflow files. */
  dagsDir: optionalKey(filePath, ...folderVariables.dagsDir),
  /** Logs of new runs; logs of earlier runs stay where they are. */
  logDir: optionalKey(filePath, ...folderVariables.logDir),
  /** Database, users, tokens and keys. */
  dataDir: optionalKey(filePath, ...folderVariables.dataDir),
  /** The base configuration, which must exist if it is set. */
  baseConfig: optionalKey(filePath, 'ENGINE_BASE_CONFIG'),
} as const satisfies ConfigTable;
