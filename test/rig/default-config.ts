import { loadEngineConfig } from '../../core/home/config/engine-config.ts';

/** The configuration without a file or variables: this folder has no `config.yaml`. */
export const defaultConfig = loadEngineConfig({ home: import.meta.dirname, environment: {} }).config;
