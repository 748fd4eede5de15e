import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The lines of a log by a slow and obvious implementation, for comparison. */
export function splitNaively(content: Buffer): string[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let at = 0; at < content.length; at += 1) {
    if (content[at] !== 10) continue;
    lines.push(content.subarray(start, at));
    start = at + 1;
  }
  if (start < content.length) lines.push(content.subarray(start));
  return lines.map((line) => {
    const bare = line.at(-1) === 13 ? line.subarray(0, -1) : line;
    if (bare.length <= 65_536) return bare.toString('utf8');
    let cut = 65_536;
    while (cut > 65_533 && bare[cut]! >= 0x80 && bare[cut]! <= 0xbf) cut -= 1;
    return `${bare.subarray(0, cut).toString('utf8')}…`;
  });
}

/** A log file in a separate directory, deleted by `await using`. */
interface TempLog extends AsyncDisposable {
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
