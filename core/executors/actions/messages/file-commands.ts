import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { truncate } from '../../../base/text/truncate.ts';
import { stripBom } from '../../../base/text/strip-bom.ts';
import type { ActionRecord, JobChanges } from './action-record.ts';

/** Files that a program writes commands to, by the environment variable that holds the path. */
export const commandFiles = {
  GITHUB_OUTPUT: 'output',
  GITHUB_ENV: 'env',
  GITHUB_PATH: 'path',
  GITHUB_STATE: 'state',
  GITHUB_STEP_SUMMARY: 'summary',
} as const;
type FileVariable = keyof typeof commandFiles;

/** Larger files are rejected because the file is read into memory. Bytes. */
const sizeLimit = 16 * 1024 * 1024;

/** Reserved variables of the runner, and `NODE_OPTIONS`, which could make any Node.js process load untrusted code. */
const protectedVariable = /^(GITHUB_|RUNNER_|NODE_OPTIONS$)/i;

/**
 * Creates the empty command files in a new folder.
 * @returns their environment variables
 */
export async function makeCommandFiles(folder: string): Promise<Record<FileVariable, string>> {
  await mkdir(folder, { recursive: true });
  const entries = Object.entries(commandFiles).map(
    ([variable, name]) => [variable, join(folder, name)] as const,
  );
  for (const [, file] of entries) await writeFile(file, '');
  return Object.fromEntries(entries) as Record<FileVariable, string>;
}

/**
 * Reads the command files of a program, applies their content and deletes them. Rejects if a file has an invalid
 * format.
 * @returns the job summary; empty if there is none
 */
export async function takeCommandFiles(
  folder: string,
  record: ActionRecord,
  changes: JobChanges,
): Promise<string> {
  const read = (variable: FileVariable): Promise<string> =>
    readLimited(join(folder, commandFiles[variable]), variable);
  for (const [name, value] of parsePairs(await read('GITHUB_OUTPUT'), 'GITHUB_OUTPUT'))
    record.outputs.set(name, value);
  for (const [name, value] of parsePairs(await read('GITHUB_STATE'), 'GITHUB_STATE'))
    record.state.set(name, value);
  for (const [name, value] of parsePairs(await read('GITHUB_ENV'), 'GITHUB_ENV')) {
    if (protectedVariable.test(name))
      throw new Error(`the action wrote ${name} to GITHUB_ENV, but actions cannot change this variable`);
    changes.setVariable(name, value);
  }
  for (const line of (await read('GITHUB_PATH')).split(/\r?\n/))
    if (line.trim() !== '') changes.addPath(line.trim());
  const summary = await read('GITHUB_STEP_SUMMARY');
  await rm(folder, { recursive: true, force: true });
  return summary;
}

/**
 * Parses `name=value` lines and `name<<delimiter` blocks, which end at a line with only the delimiter.
 * @throws if a line is neither
 */
export function parsePairs(text: string, variable: string): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!.replace(/\r$/, '');
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (heredoc >= 0 && (equals < 0 || heredoc < equals)) {
      const name = line.slice(0, heredoc);
      const mark = line.slice(heredoc + 2);
      const end = findMark(lines, at + 1, mark);
      if (name === '' || mark === '') throw badLine(variable, line);
      if (end < 0)
        throw new Error(
          `${variable}: the value of "${name}" has no end: missing line "${truncate(mark, 80)}"`,
        );
      pairs.push([
        name,
        lines
          .slice(at + 1, end)
          .join('\n')
          .replace(/\r$/, ''),
      ]);
      at = end;
    } else if (equals > 0) pairs.push([line.slice(0, equals), line.slice(equals + 1)]);
    else throw badLine(variable, line);
  }
  return pairs;
}

/** @returns the index of the line, or -1 */
function findMark(lines: readonly string[], from: number, mark: string): number {
  for (let at = from; at < lines.length; at += 1) if (lines[at]!.replace(/\r$/, '') === mark) return at;
  return -1;
}

const badLine = (variable: string, line: string): Error =>
  new Error(`${variable}: "${truncate(line, 80)}" is neither name=value nor name<<MARK`);

/** Returns an empty string if the program deleted the file. */
async function readLimited(file: string, variable: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > sizeLimit)
      throw new Error(`${variable} is ${bytes.length} bytes (the limit is ${sizeLimit})`);
    return stripBom(bytes.toString('utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
