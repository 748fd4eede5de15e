import path from 'node:path';
import type { LoadedFile } from '../run-service.ts';

/** Finds workflow files for steps that run other workflows. */
export interface WorkflowFinder {
  /** By name in the workflow folder. */
  findByName(name: string): LoadedFile | undefined;
  /** By absolute path. Throws `not_found`. */
  read(file: string): LoadedFile;
}

/** A workflow that a step names. */
export interface FoundWorkflow {
  readonly source: LoadedFile;
  /** Which document of the file. */
  readonly document: number;
}

/**
 * Finds what a step's `run` names. Workflows of the same file come first, then those of the workflow folder, then
 * paths (against the file's folder). Throws `not_found`.
 */
export function findSubWorkflow(finder: WorkflowFinder, parent: LoadedFile, dag: string): FoundWorkflow {
  const document = parent.workflows.findIndex((workflow) => workflow.name === dag);
  if (document >= 0) return { source: { ...parent, diagnostics: [] }, document };
  const named = finder.findByName(dag);
  if (named !== undefined) return { source: named, document: 0 };
  const base = parent.file === undefined ? process.cwd() : path.dirname(parent.file);
  return { source: finder.read(path.resolve(base, dag)), document: 0 };
}
