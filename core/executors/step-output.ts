import { messageOf } from '../base/errors.ts';
import { OutputFiles } from '../process/output/output-files.ts';
import type { ExecutorResult, StepContext } from './executor.ts';

/** The output of an executor without a process. */
export interface StepOutput {
  /** Writes text as it is; add the line break. */
  stdout(text: string): void;
  stderr(text: string): void;
  /** Writes bytes; resolves when there is room for more. Never rejects. */
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): Promise<void>;
  /**
   * Resolves when all output is in the files, with the error message if some could not be written; it is the attempt's
   * error unless there is another. Never rejects. Must be called once, however the attempt ends.
   */
  close(): Promise<string | undefined>;
}

/**
 * Opens the output for work without a process and closes it at the end. If opening fails, the work rejects, or some
 * output cannot be written, the message is the attempt's error. Never rejects.
 */
export async function withStepOutput(
  context: Pick<StepContext, 'attemptDir' | 'relay'>,
  work: (output: StepOutput) => Promise<ExecutorResult>,
): Promise<ExecutorResult> {
  try {
    const output = await openStepOutput(context);
    const result = await work(output).catch((error: unknown): ExecutorResult => ({
      error: messageOf(error),
    }));
    const lost = await output.close();
    return result.error === undefined && lost !== undefined ? { ...result, error: lost } : result;
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/**
 * Opens the attempt's log files and their copies; output is masked. Rejects with an error that names the file that
 * could not be opened and what to do.
 */
export async function openStepOutput({
  attemptDir,
  relay,
}: Pick<StepContext, 'attemptDir' | 'relay'>): Promise<StepOutput> {
  const files = await OutputFiles.open(attemptDir, relay);
  // The attempt may end before its work, which then writes to closed files.
  let isOpen = true;
  return {
    stdout: (text) => void (isOpen && files.stdout.write(text)),
    stderr: (text) => void (isOpen && files.stderr.write(text)),
    write: (stream, bytes) =>
      new Promise((resolve) => {
        if (!isOpen || bytes.length === 0) resolve();
        else files[stream].write(bytes, () => resolve());
      }),
    close() {
      isOpen = false;
      return files.close();
    },
  };
}
