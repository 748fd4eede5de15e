import { createReadStream } from 'node:fs';
import path from 'node:path';
import { fetchInputs, saveOutputs, type ArtifactStore } from '../../distributed/worker/task/task-files.ts';
import { messageOf } from '../../base/errors.ts';
import type { Step } from '../../model/workflow/step.ts';
import { hasFailed, type AttemptResult } from './node-task.ts';
import type { StepRunContext } from './step-context.ts';

type FilesContext = Pick<StepRunContext, 'files' | 'runDir'>;

/**
 * Copies the artifacts that a step needs into its directory on this machine. Rejects with a message for a missing
 * artifact.
 */
export async function fetchLocalInputs(
  context: FilesContext,
  { inputFiles = [] }: Pick<Step, 'inputFiles'>,
  folder: string,
): Promise<void> {
  // An artifact that is already in place is not copied onto itself.
  const names = inputFiles.filter((name) => !isArtifactItself(context, folder, name));
  if (names.length > 0) await fetchInputs(names, folder, artifactsOf(context));
}

/**
 * Stores the artifacts that a successful step has created on this machine; if one cannot be stored, the step fails.
 * Rejects once the signal is aborted.
 */
export async function saveLocalOutputs(
  context: FilesContext,
  { outputFiles = [] }: Pick<Step, 'outputFiles'>,
  folder: string,
  result: AttemptResult,
  signal: AbortSignal,
): Promise<AttemptResult> {
  if (outputFiles.length === 0 || hasFailed(result) || result.cause !== undefined) return result;
  try {
    await saveOutputs(outputFiles, folder, artifactsOf(context, folder), signal);
    return result;
  } catch (error) {
    if (signal.aborted) throw error;
    return { ...result, error: messageOf(error) };
  }
}

const isArtifactItself = ({ runDir }: FilesContext, folder: string, name: string): boolean =>
  path.resolve(folder, name) === path.join(runDir, 'artifacts', name);

function artifactsOf(context: FilesContext, folder?: string): ArtifactStore {
  const { files, runDir } = context;
  return {
    get: async (name) => (await (await files()).getArtifact(runDir, name))?.content,
    put: async (name, file) => {
      if (folder !== undefined && isArtifactItself(context, folder, name)) return;
      await (await files()).putArtifact(runDir, name, createReadStream(file));
    },
  };
}
