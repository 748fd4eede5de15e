import path from 'node:path';
import { AppError } from '../base/errors.ts';
import type { LoadedFile } from './run-service.ts';

/** Finds workflow files for steps that run other workflows. */
export interface WorkflowFinder {
  /** Finds a workflow by name in the workflow folder. */
  findByName(name: string): Promise<LoadedFile | undefined>;
  /**
   * Reads a file by absolute path.
   * @throws `not_found`
   */
  read(file: string): Promise<LoadedFile>;
}

/** A workflow that a step names. */
export interface WorkflowMatch {
  readonly source: LoadedFile;
  /** Index of the document in the file. */
  readonly document: number;
}

const extension = /\.ya?ml$/;

/**
 * Finds the workflow that a step's `run` names. Workflows of the same file come first, then those of the workflow
 * folder, then paths (relative to the file's folder), with or without the file extension.
 * @throws `not_found`
 */
export async function findSubWorkflow(
  finder: WorkflowFinder,
  parent: LoadedFile,
  dag: string,
): Promise<WorkflowMatch> {
  const document = parent.workflows.findIndex((workflow) => workflow.name === dag);
  if (document >= 0) return { source: { ...parent, diagnostics: [] }, document };
  const file = path.resolve(parent.file === undefined ? process.cwd() : path.dirname(parent.file), dag);
  const source =
    (await finder.findByName(dag)) ??
    (await readFirst(finder, extension.test(dag) ? [file] : [file, `${file}.yaml`, `${file}.yml`])) ??
    (await finder.findByName(dag.replace(extension, '')));
  if (source !== undefined) return { source, document: 0 };
  throw new AppError(
    'not_found',
    `Workflow "${dag}" not found in this file or the workflow folder, and there is no file ${file}.`,
  );
}

async function readFirst(finder: WorkflowFinder, files: readonly string[]): Promise<LoadedFile | undefined> {
  for (const file of files)
    try {
      return await finder.read(file);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    }
  return undefined;
}
