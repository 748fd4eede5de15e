import type { Clock } from '../../base/clock.ts';
import { findBaseConfig, type HomePaths } from '../config/home.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import { BaseFile } from './base-file.ts';
import { WorkflowLibrary } from './workflow-library.ts';
import { WorkflowSources } from './workflow-sources.ts';

/** Opens the workflow files, and the services that use them. */
export function openFiles(
  { home, dags }: HomePaths,
  { paths }: EngineConfig,
  clock: Clock,
): { base: BaseFile; library: WorkflowLibrary; sources: WorkflowSources } {
  const base = new BaseFile(findBaseConfig(home, paths.baseConfig), clock);
  const library = new WorkflowLibrary(dags, clock, base);
  return { base, library, sources: new WorkflowSources(library, base) };
}
