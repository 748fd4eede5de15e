import { loadEngineConfig } from '../../core/config/engine-config.ts';

/** What counts when there is neither a file nor a variable: this folder has no `config.yaml`. */
export const defaultConfig = loadEngineConfig({ home: import.meta.dirname, environment: {} }).config;
