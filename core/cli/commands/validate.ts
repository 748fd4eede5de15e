import path from 'node:path';
import { pluralize } from '../../base/text.ts';
import { type ErrorCode, exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { checkChannels, usesChannels, checkReferences } from '../../home/library/check-references.ts';
import { readSpecFile, type SpecFile } from '../../home/library/read-spec.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Secret } from '../../model/settings.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
  findHomePaths,
} from '../command-context.ts';
import { findDag } from '../find-workflow.ts';
import type { EngineClient } from '../host/engine-client.ts';
import { showDiagnostics } from '../show-diagnostics.ts';

export interface ValidateInput {
  readonly files: readonly string[];
  readonly format: OutputFormat;
}

/** A file with its diagnostics. */
interface CheckedFile {
  /** As typed. */
  readonly file: string;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly valid: boolean;
}

/** Validates workflow files without running them. Warnings do not fail; exit code 1 if a file has errors. */
export async function runValidate(context: CommandContext, input: ValidateInput): Promise<number> {
  const files = await checkFiles(context, input.files);
  const valid = files.every((file) => file.valid);
  if (input.format === 'json') await printJson(context, toJson(files, valid));
  else for (const file of files) await showFile(context, file);
  return valid ? exitCodes.success : exitCodes.runFailed;
}

/**
 * Validates files. With `--server`, the server validates content by its own release, and names in its own workflow
 * directory.
 */
async function checkFiles(context: CommandContext, files: readonly string[]): Promise<CheckedFile[]> {
  // Sequential, because a server queues few validations of large files.
  const checkAll = async (read: (argument: string) => Promise<SpecProblems>): Promise<CheckedFile[]> => {
    const checked: CheckedFile[] = [];
    for (const file of files) checked.push(await checkFile(file, read));
    return checked;
  };
  if (context.server !== undefined)
    return withHost(context, (host) => checkAll((argument) => checkOnServer(context, host, argument)));
  const { dags } = await findHomePaths(context);
  return checkAll(async (argument) => {
    const file = await findDag(argument, { cwd: context.cwd, dags });
    const spec = readSpecFile(file);
    const missing = checkReferences(spec, { file, dags, cwd: context.cwd });
    const channels = usesChannels(spec)
      ? checkChannels(spec.text, file, await listChannelNames(context))
      : [];
    const closed = await checkSecrets(context, spec, file);
    return { text: spec.text, diagnostics: [...spec.diagnostics, ...missing, ...channels, ...closed] };
  });
}

const listChannelNames = (context: CommandContext): Promise<string[]> =>
  withHost(context, async ({ api }) => {
    const { channels } = await api.call('channels.list', {}, context.caller);
    return channels.map(({ name }) => name);
  });

/** Loads the configuration and the secret store only for a file with stored secrets. */
async function checkSecrets(
  { home, environment, configFile, cwd, clock }: CommandContext,
  spec: SpecFile,
  file: string,
): Promise<Diagnostic[]> {
  const isStored = ({ provider }: Secret): boolean => provider === 'store' || provider === 'keychain';
  if (!spec.workflows.some(({ secrets }) => secrets?.some(isStored))) return [];
  const { loadEngineConfig } = await import('../../home/config/engine-config.ts');
  const { LazySecrets } = await import('../../store/secrets/lazy-secrets.ts');
  const { checkStoredSecrets } = await import('../../store/secrets/check-secrets.ts');
  const loaded = loadEngineConfig({ home, environment, file: configFile, cwd });
  const { sources } = new LazySecrets({ ...loaded, clock, location: { environment } });
  return checkStoredSecrets(spec, file, sources);
}

/** A source string with its diagnostics. */
type SpecProblems = Pick<CheckedFile, 'text' | 'diagnostics'>;

async function checkOnServer(
  { caller }: CommandContext,
  { api, workflows }: EngineClient,
  argument: string,
): Promise<SpecProblems> {
  const source = await workflows.find(argument);
  if ('fileName' in source) {
    const { spec, file, diagnostics } = await api.call('dags.get', source, caller);
    // Errors of the server's base configuration are not errors of this file.
    return { text: spec, diagnostics: diagnostics.filter((diagnostic) => diagnostic.file === file) };
  }
  const {
    text,
    workflows: [workflow],
  } = readSpecFile(source.file);
  // The workflow name in the file, so that the server does not report it as missing.
  const name = workflow?.name;
  const { diagnostics } = await api.call('dags.validate', { spec: text, name }, caller);
  return { text, diagnostics };
}

/** Server errors that are unrelated to the file. */
const notAboutFiles: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'unauthorized',
  'forbidden',
  'too_many_requests',
  'internal_error',
]);

/** Checks a file. An unreadable file counts as invalid, so that every file of a list gets a result. */
async function checkFile(
  argument: string,
  read: (argument: string) => Promise<SpecProblems>,
): Promise<CheckedFile> {
  try {
    const { text, diagnostics } = await read(argument);
    const named = diagnostics.map((diagnostic) => ({ ...diagnostic, file: argument }));
    return { file: argument, text, diagnostics: named, valid: !named.some(isError) };
  } catch (error) {
    if (!(error instanceof AppError) || notAboutFiles.has(error.code)) throw error;
    const { nearest } = error.details ?? {};
    const message =
      typeof nearest === 'string' ? `${error.message} Did you mean "${nearest}"?` : error.message;
    const diagnostic: Diagnostic = {
      severity: 'error',
      message,
      file: argument,
      line: 1,
      column: 1,
      path: '',
    };
    return { file: argument, text: '', diagnostics: [diagnostic], valid: false };
  }
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

function toJson(files: readonly CheckedFile[], valid: boolean): object {
  const problems = files.flatMap(({ diagnostics }) => diagnostics);
  return {
    valid,
    errors: problems.filter(isError).map(showProblem),
    warnings: problems.filter((problem) => !isError(problem)).map(showProblem),
  };
}

const showProblem = ({ severity, message, file, line, column, path: field }: Diagnostic): object => ({
  severity,
  message,
  file,
  line,
  column,
  path: field,
});

async function showFile(
  context: CommandContext,
  { file, text, diagnostics, valid }: CheckedFile,
): Promise<void> {
  const { stdout, stderr } = context.terminal;
  await stderr.write(showDiagnostics(stderr, diagnostics, text));
  const name = path.isAbsolute(file) ? file : path.normalize(file);
  const warnings = diagnostics.filter((diagnostic) => !isError(diagnostic)).length;
  const verdict = valid
    ? `${stdout.paint('green', '✔')} ${name} is valid${warnings > 0 ? ` (${pluralize(warnings, 'warning')})` : ''}`
    : `${stdout.paint('red', '✖')} ${name} is invalid (${pluralize(diagnostics.filter(isError).length, 'error')})`;
  await printLines(context, [verdict]);
}
