import { dirname, join, resolve } from 'node:path';
import { pipeline, Writable, type Transform } from 'node:stream';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import { explainCopyError, explainOpenError } from '../launch/launch-failure.ts';
import type { OutputRelay } from '../launch/launcher.ts';
import { makeFolder } from '../launch/make-folder.ts';
import type { StartLock } from '../launch/start-tries.ts';
import { OutputFile } from './output-file.ts';
import { OutputOpenError } from './output-refused.ts';

const streams = ['stdout', 'stderr'] as const;
type StreamName = (typeof streams)[number];

/** The logs of an attempt and their copies, with one stream each for stdout and stderr. */
export class OutputFiles {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly #logs: readonly OutputFile[];
  readonly #copies: readonly OutputFile[];
  readonly #finished: Promise<unknown>;

  private constructor(logs: Opened, copies: Opened, mask: OutputRelay['mask']) {
    this.#logs = [...logs.values()];
    this.#copies = [...new Set(copies.values())];
    const [stdout, stderr] = streams.map((name) =>
      makeStream(
        [logs.get(name), copies.get(name)].filter((file) => file !== undefined),
        mask?.(name),
      ),
    );
    this.stdout = stdout!.head;
    this.stderr = stderr!.head;
    this.#finished = Promise.all([stdout!.finished, stderr!.finished]);
  }

  /** Opens everything or nothing, but the fence stays passed. Rejects with `OutputOpenError`. */
  static async open(
    attemptDir: string,
    relay: OutputRelay = { copies: {} },
    fence: StartLock = { isPassed: false },
  ): Promise<OutputFiles> {
    const logs: Opened = new Map();
    const copies: Opened = new Map();
    try {
      logs.set('stdout', await openLog(attemptDir, attemptFiles.stdout, !fence.isPassed));
      fence.isPassed = true;
      logs.set('stderr', await openLog(attemptDir, attemptFiles.stderr, false));
      for (const name of streams) {
        const path = relay.copies[name];
        if (path !== undefined) copies.set(name, await openCopy(name, resolve(path), copies));
      }
      return new OutputFiles(logs, copies, relay.mask);
    } catch (error) {
      await Promise.all([...logs.values(), ...copies.values()].map((file) => file.close()));
      throw error;
    }
  }

  /**
   * Ends both streams and resolves when all their data is in the files, with a message about data that could not be
   * written. Never rejects.
   */
  async close(): Promise<string | undefined> {
    this.stdout.end();
    this.stderr.end();
    await this.#finished;
    const problems: string[] = [];
    for (const file of this.#logs) {
      const error = await file.close();
      if (error) problems.push(`the log ${file.path} is incomplete: ${error.message}`);
    }
    for (const file of this.#copies) {
      const error = await file.close();
      if (error) problems.push(`the copy of the output in ${file.path} is incomplete: ${error.message}`);
    }
    return problems.length === 0 ? undefined : problems.join('; ');
  }
}

type Opened = Map<StreamName, OutputFile>;

async function openLog(attemptDir: string, name: string, isNew: boolean): Promise<OutputFile> {
  try {
    return await OutputFile.open(join(attemptDir, name), isNew);
  } catch (error) {
    throw new OutputOpenError(explainOpenError(error as NodeJS.ErrnoException, attemptDir), error);
  }
}

/** Opens a copy. Two streams into the same file share one open file, so that their output is interleaved in order. */
async function openCopy(stream: StreamName, path: string, opened: Opened): Promise<OutputFile> {
  for (const openFile of opened.values()) if (openFile.path === path) return openFile;
  try {
    makeFolder(dirname(path));
    return await OutputFile.open(path);
  } catch (error) {
    throw new OutputOpenError(explainCopyError(error as NodeJS.ErrnoException, { stream, path }), error);
  }
}

interface OutputStream {
  readonly head: Writable;
  /** Resolves when everything has been written. */
  readonly finished: Promise<void>;
}

function makeStream(files: readonly OutputFile[], head: Transform | undefined): OutputStream {
  const sink = new Writable({
    write(bytes: Buffer, _encoding, done) {
      void appendToAll(files, bytes, done);
    },
  });
  const finished = new Promise<void>((onClosed) => sink.once('close', () => onClosed()));
  if (!head) return { head: sink, finished };
  // When one of them fails, both close.
  pipeline(head, sink, () => {});
  return { head, finished };
}

async function appendToAll(files: readonly OutputFile[], bytes: Buffer, done: () => void): Promise<void> {
  await Promise.all(files.map((file) => file.append(bytes)));
  done();
}
