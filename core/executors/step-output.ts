import { messageOf } from '../base/errors.ts';
import { OutputFiles } from '../process/output/output-files.ts';
import type { ExecutorEnd, StepContext } from './executor.ts';

/** What an executor without a process writes instead of one. */
export interface StepOutput {
  /** Texts are as written: end a line with a line break. */
  stdout(text: string): void;
  stderr(text: string): void;
  /** The same for bytes as they come; resolves when there is room for more. Never rejects. */
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): Promise<void>;
  /**
   * Resolves when everything is in the files, with what could not be written, in words: that is the attempt's error
   * unless it has another. Never rejects. To be called once, however the attempt ends.
   */
  close(): Promise<string | undefined>;
}

/**
 * Gives work without a process its output for as long as it takes. What cannot be opened, what the work rejects with,
 * and else what could not be written is the attempt's error. Never rejects.
 */
export async function withStepOutput(
  context: Pick<StepContext, 'attemptDir' | 'relay'>,
  work: (output: StepOutput) => Promise<ExecutorEnd>,
): Promise<ExecutorEnd> {
  try {
    const output = await openStepOutput(context);
    const end = await work(output).catch((thrown: unknown): ExecutorEnd => ({ error: messageOf(thrown) }));
    const lost = await output.close();
    return end.error === undefined && lost !== undefined ? { ...end, error: lost } : end;
  } catch (thrown) {
    return { error: messageOf(thrown) };
  }
}

/**
 * Opens the attempt's log files and the copies of them; texts pass through the mask. Rejects with an error that says
 * which file could not be opened and what to do.
 */
export async function openStepOutput({
  attemptDir,
  relay,
}: Pick<StepContext, 'attemptDir' | 'relay'>): Promise<StepOutput> {
  const files = await OutputFiles.open(attemptDir, relay);
  // An attempt may end without its work, which then writes to files that are closed.
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
