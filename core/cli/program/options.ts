import { InvalidArgumentError, Option } from 'commander';
import { dagNamePattern, runIdPattern } from '../../base/ids.ts';
import { runStatuses, type RunStatus } from '../../model/run/status.ts';

/** Returns `--format text|json`, for all commands with output. */
export const formatOption = (): Option =>
  new Option('--format <format>', 'Output format: text or json. Default: text.')
    .choices(['text', 'json'])
    .default('text');

/** Returns `--run-id ID` of an existing run. */
export const runOption = (meaning = 'Run id. Default: the latest run.'): Option =>
  new Option('-r, --run-id <id>', meaning).argParser(parseRunId);

/** Returns `--from-run-id ID`: the run to copy. */
export const fromRunIdOption = (): Option =>
  new Option(
    '--from-run-id <id>',
    'Start a new run with the parameters of this earlier run (latest: the newest run)',
  ).argParser(parseRunId);

/** Returns `--run-id ID` of a new run, with its short form. */
export const newRunIdOption = (): Option =>
  new Option('-r, --run-id <id>', 'Id for the new run. Default: generated.').argParser(parseRunId);

/** Returns `--name NAME`: the name of the run. */
export const nameOption = (meaning = 'Store the run under this name instead of the workflow name'): Option =>
  new Option('-N, --name <name>', meaning).argParser(parseDagName);

function parseRunId(text: string): string {
  if (new RegExp(runIdPattern).test(text)) return text;
  throw new InvalidArgumentError('A run id has 1 to 64 letters, digits, "-" or "_".');
}

function parseDagName(text: string): string {
  if (new RegExp(dagNamePattern).test(text)) return text;
  throw new InvalidArgumentError(
    'A name has 1 to 40 letters, digits, "_", "." or "-", and is not "." or "..".',
  );
}

/** Returns a parser for integers within limits, for options such as `--limit`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

/** Collects statuses, separated by commas or in several options. */
export function collectStatuses(text: string, before: readonly RunStatus[]): RunStatus[] {
  const statuses = text.split(',').map((word) => runStatuses.find((status) => status === word.trim()));
  const known = statuses.filter((status) => status !== undefined);
  if (known.length === statuses.length) return [...before, ...known];
  throw new InvalidArgumentError(`Valid statuses: ${runStatuses.join(', ')}.`);
}
