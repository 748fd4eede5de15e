import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A log file in a folder of its own, removed by `await using`. */
export interface TempLog extends AsyncDisposable {
  readonly file: string;
  readonly directory: string;
  write(content: string | Uint8Array): Promise<void>;
  append(content: string | Uint8Array): Promise<void>;
}

/** @param content absent: the file does not exist yet */
export async function createTempLog(content?: string | Uint8Array): Promise<TempLog> {
  const directory = await mkdtemp(join(tmpdir(), 'stepwright-log-'));
  const file = join(directory, 'stdout.log');
  if (content !== undefined) await writeFile(file, content);
  return {
    file,
    directory,
    write: (text) => writeFile(file, text),
    append: (text) => appendFile(file, text),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
