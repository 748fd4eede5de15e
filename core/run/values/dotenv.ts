import { parseEnv } from 'node:util';
import { expandVariables, nameLimit } from '../../spec/expand.ts';
import { getFileKind, readTextFile, UnreadableTextError, resolveFolder } from './files.ts';

/** A dotenv file that exists but cannot be used; the message contains its name and the solution. */
export class DotenvError extends Error {
  override readonly name = 'DotenvError';
}

/** Where dotenv files are looked for, and what their values may refer to. */
export interface DotenvPaths {
  /** The workflow's `dotenv`, as written; undefined when it is not set. */
  readonly files: readonly string[] | undefined;
  readonly workingDir: string;
  /** Directory of the workflow's file. */
  readonly fileDir: string;
  /** Returns the value of a variable that is known before the file is read. */
  lookup(name: string): string | undefined;
  warn(message: string): void;
}

/** Tools for expanding the values of a file, wherever the file is. */
type ValueTools = Pick<DotenvPaths, 'lookup' | 'warn'>;

/** The file that was read, and its expanded variables in file order. */
export interface DotenvFile {
  /** Absolute path. */
  readonly file: string;
  readonly variables: Record<string, string>;
}

const maxBytes = 1024 * 1024;
const fallback = '.env';
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Reads the variables of the first file that exists. Each name is looked for in the working directory, then in the
 * directory of the workflow's file; `~` and absolute paths work, and variables in a name are expanded. The listed files
 * come first, in their order, and `.env` comes last: `dotenv: prod.env` means that file, even if a `.env` for
 * development is next to it. Dagu looks for `.env` first, and then never reads the listed one. An empty list reads
 * nothing.
 * @returns undefined when there is none, which is not an error
 * @throws `DotenvError` for a file that exists and cannot be read, is larger than 1 MiB, or is not UTF-8
 */
export function readDotenv(paths: DotenvPaths): DotenvFile | undefined {
  for (const file of listCandidates(paths)) {
    try {
      const kind = getFileKind(file.path);
      // A folder `.env` is usually a virtual environment, and was not requested.
      if (kind === 'missing' || (kind === 'other' && !file.listed)) continue;
      const variables = readVariableFile(file.path, paths);
      return { file: file.path, variables };
    } catch (error) {
      if (!(error instanceof UnreadableTextError)) throw error;
      const remedy = `${error.message}, or set another file in "dotenv" ("dotenv: []" for none).`;
      throw new DotenvError(`Dotenv file ${file.path} ${remedy}`);
    }
  }
  return undefined;
}

/** Dotenv files, all of which are required. */
export interface SecretFilePaths extends Omit<DotenvPaths, 'files'> {
  /** The workflow's `secretFiles`, as written. */
  readonly files: readonly string[];
}

/**
 * Reads the variables of all these files; of duplicate names the last one counts, and a value may refer to the
 * variables above it and in earlier files. Each file is looked for like those of `dotenv`.
 * @throws `DotenvError` for a file that is missing or cannot be read
 */
export function readSecretFiles(paths: SecretFilePaths): Record<string, string> {
  const { workingDir, fileDir, warn } = paths;
  const known: Record<string, string> = {};
  const lookup = (name: string): string | undefined =>
    Object.hasOwn(known, name) ? known[name] : paths.lookup(name);
  for (const filePath of paths.files) {
    const name = expand(filePath, paths, {});
    const candidates = [...new Set([resolveFolder(name, workingDir), resolveFolder(name, fileDir)])];
    try {
      const file = candidates.find((candidate) => getFileKind(candidate) !== 'missing') ?? candidates[0]!;
      Object.assign(known, readVariableFile(file, { lookup, warn }));
    } catch (error) {
      if (!(error instanceof UnreadableTextError)) throw error;
      const remedy = `${error.message}, or remove it from "secretFiles".`;
      throw new DotenvError(`Secret file ${candidates.join(' or ')} ${remedy}`);
    }
  }
  return known;
}

/**
 * Reads the variables of one file, whatever its name.
 * @param file absolute
 * @throws `UnreadableTextError` as {@link readTextFile} does
 */
export function readVariableFile(file: string, tools: ValueTools): Record<string, string> {
  return readVariables(file, readTextFile(file, maxBytes), tools);
}

function listCandidates(context: DotenvPaths): { path: string; listed: boolean }[] {
  const { files = [fallback], workingDir, fileDir } = context;
  const names = files.map((file) => expand(file, context, {})).filter((name) => name.trim() !== '');
  const all = files.length === 0 ? [] : [...names, fallback];
  const paths = all.flatMap((name) => [resolveFolder(name, workingDir), resolveFolder(name, fileDir)]);
  const listed = files.length > 0 && context.files !== undefined ? names.length * 2 : 0;
  return [...new Set(paths)].map((path) => ({ path, listed: paths.indexOf(path) < listed }));
}

/** Commands in backticks stay as written: a dotenv file runs nothing. */
function expand(text: string, context: ValueTools, known: Readonly<Record<string, string>>): string {
  const { value, warnings } = expandVariables(text, {
    lookup: (name) => (Object.hasOwn(known, name) ? known[name] : context.lookup(name)),
  });
  for (const warning of warnings) context.warn(warning);
  return value;
}

function readVariables(file: string, text: string, context: ValueTools): Record<string, string> {
  const assigned = parseEnv(text);
  const variables: Record<string, string> = {};
  const literal = findAssignments(text);
  const names = new Set([...literal.keys(), ...Object.keys(assigned)]);
  for (const name of names) {
    const value = Object.hasOwn(assigned, name) ? assigned[name] : undefined;
    if (value === undefined) continue;
    if (variableName.test(name)) {
      try {
        variables[name] = literal.get(name) === value ? value : expand(value, context, variables);
      } catch (error) {
        throw nameLimit(name, error);
      }
    } else {
      const shortName = JSON.stringify(name.slice(0, 60));
      const remedy = 'Use letters, digits and "_", and start with a letter or "_".';
      context.warn(`${file}: invalid variable name ${shortName}, skipped. ${remedy}`);
    }
  }
  return variables;
}

/**
 * Finds what Node's parser does not return: the order of the names, which it sorts, and which values are in single
 * quotes and therefore literal.
 */
function findAssignments(text: string): Map<string, string | undefined> {
  const pattern =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*(?:'([^']*)'|"[^"]*"|`[^`]*`)?/gm;
  // Node's parser reads every line ending as one line feed.
  const matches = text.replaceAll('\r', '').matchAll(pattern);
  return new Map(Array.from(matches, ([, name, value]) => [name!, value]));
}
