import type { DryRunView } from '../../../core/contract/dry.ts';
import type { RerunPlanView } from '../../../core/contract/runs.ts';
import type { RunStatus, StepStatus } from '../../../core/model/run.ts';
import { basename, dirname, join, relative } from 'node:path';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { placeEmptyDatabase } from '../../harness/empty-database.ts';
import { type ConformanceCase, getFileName } from './cases.ts';

/** The result of a case, the same for the command line and the API. */
export type CaseResult = RanResult | RejectedResult | RefusedResult | AcceptedResult | DryResult;

export interface RanResult {
  readonly kind: 'ran';
  readonly run: RunResult;
  /** Exit code of `engine start`; undefined for the API. */
  readonly exit?: number | null;
  /** Of the validation; undefined if the case expects none. */
  readonly warnings?: readonly Problem[];
  readonly paths: ResultPaths;
  /** Text files in the workflow's folder after the run, by relative path. */
  readonly files: Readonly<Record<string, string>>;
  /** For a retry, what it announced for each step. */
  readonly plan?: RerunPlanView;
  /** Results of each entry of `afterwards`. */
  readonly afterwards?: readonly CaseResult[];
}

/** Rejected by validation; `start` is the output of an attempt to run it. */
export interface RejectedResult {
  readonly kind: 'rejected';
  readonly validation: readonly Problem[];
  readonly warnings?: readonly Problem[];
  readonly start: readonly Problem[];
}

export interface RefusedResult {
  readonly kind: 'refused';
  readonly code: string;
  readonly message: string;
}

export interface AcceptedResult {
  readonly kind: 'accepted';
  readonly warnings: readonly Problem[];
}

/** Output of a dry run. */
export interface DryResult {
  readonly kind: 'dry';
  readonly view: DryRunView;
  /** Exit code of `engine dry`; undefined for the API. */
  readonly exit?: number | null;
  readonly paths: ResultPaths;
  /** Files created in the workflow's folder. */
  readonly newFiles: Readonly<Record<string, string>>;
}

export interface RunResult {
  readonly name: string;
  readonly dagRunId: string;
  readonly status: RunStatus;
  readonly error?: string;
  readonly params: readonly string[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly steps: readonly StepResult[];
  readonly handlers: readonly StepResult[];
}

export interface StepResult {
  readonly name: string;
  readonly status: StepStatus;
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly attempts: number;
  readonly error?: string;
  /** ISO 8601. */
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly runs: readonly RunResult[];
}

/** An error or a warning of a file. */
export interface Problem {
  /** Name of the file, without its folder; empty for a spec without a file. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `steps[0].command`; empty for the whole file. */
  readonly field: string;
  readonly message: string;
}

/** Values of `<folder>`, `<home>`, `<user>` and `<runId>` in an expected text. */
export interface ResultPaths {
  /** The workflow's folder; for a spec without a file, the engine's current directory. */
  readonly folder: string;
  /** The engine's home. */
  readonly home: string;
  /** The user's home directory. */
  readonly user: string;
  readonly runId: string;
}

/** Diagnostics in normalized form; `severity` selects one kind, where a list has both. */
export function toProblems(diagnostics: readonly Diagnostic[], severity?: Diagnostic['severity']): Problem[] {
  return diagnostics
    .filter((diagnostic) => severity === undefined || diagnostic.severity === severity)
    .map(({ file, line, column, path, message }) => ({
      file: basename(file),
      line,
      column,
      field: path,
      message,
    }));
}

/** Folders of one engine under test. All paths are absolute and real. */
export interface CaseFolders {
  readonly root: string;
  readonly home: string;
  /** The home's workflow folder. */
  readonly dags: string;
  /** The user's home directory. */
  readonly user: string;
  /** The engine's current directory. */
  readonly cwd: string;
}

const baseFile = ({ home }: CaseFolders): string => join(home, 'base.yaml');

export function createCaseFolders(): CaseFolders {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'stepwright-conformance-')));
  const home = join(root, 'home');
  const ground = { root, home, dags: join(home, 'dags'), user: join(root, 'user'), cwd: join(root, 'cwd') };
  for (const folder of [ground.dags, ground.user, ground.cwd]) mkdirSync(folder, { recursive: true });
  placeEmptyDatabase(home);
  return ground;
}

export const removeCaseFolders = ({ root }: CaseFolders): void =>
  rmSync(root, { recursive: true, force: true });

/** Writes the workflow and its files into the home's folder. Returns the workflow's path. */
export function writeCaseFiles(item: ConformanceCase, { dags }: CaseFolders): string {
  const path = join(dags, getFileName(item));
  writeFileSync(path, item.spec);
  writeTexts(item.files, dags);
  return path;
}

/** Writes files by relative path. */
export function writeTexts(texts: Readonly<Record<string, string>> | undefined, folder: string): void {
  for (const [name, text] of Object.entries(texts ?? {})) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Writes the base configuration of the case. */
export function writeBaseConfig({ base }: ConformanceCase, ground: CaseFolders): void {
  if (base !== undefined) writeFileSync(baseFile(ground), base);
}

/** Removes the files of a case, so that the next one starts clean. */
export function clearCaseFolders(ground: CaseFolders): void {
  const { dags, user, cwd } = ground;
  rmSync(baseFile(ground), { force: true });
  for (const folder of [dags, user, cwd])
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** New files below a folder. */
export function readNewFiles(
  folder: string,
  before: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(readFilesBelow(folder)).filter(([path]) => !(path in before)));
}

/** All files below a folder as text, by relative path. */
export function readFilesBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}
