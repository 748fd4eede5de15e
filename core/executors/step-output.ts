import { OutputFiles } from '../process/output/output-files.ts';
import type { StepContext } from './executor.ts';

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
