import { parseSpan } from '../base/duration.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AppError } from '../base/errors.ts';
import { dagNamePattern, runIdPattern } from '../base/ids.ts';
import { runStatuses, type RunStatus } from '../model/run.ts';
import type { ProgramHooks } from './command-context.ts';

/** Returns `--format text|json`, for all commands with output. */
export const formatOption = (): Option =>
  new Option('--format <format>', 'Output format: text or json. Default: text.')
    .choices(['text', 'json'])
    .default('text');

/** Returns `--run-id ID` of an existing run. */
export const runOption = (meaning = 'Run ID. Default: the latest run.'): Option =>
  new Option('-r, --run-id <id>', meaning).argParser(parseRunId);

/** Returns `--from-run-id ID`: the run to copy. */
export const fromRunIdOption = (): Option =>
  new Option(
    '--from-run-id <id>',
    'Start a new run with the parameters of this earlier run (latest: the newest run)',
  ).argParser(parseRunId);

/** Returns `--run-id ID` of a new run, with its short form. */
export const newRunIdOption = (): Option =>
  new Option('-r, --run-id <id>', 'ID of the new run. Default: generated.').argParser(parseRunId);

/** Returns `--name NAME`: the name of the run. */
export const nameOption = (meaning = 'Store the run under this name instead of the workflow name'): Option =>
  new Option('-N, --name <name>', meaning).argParser(parseDagName);

/** A report of a run for a CI system. */
export type ReportTarget = { readonly kind: 'junit'; readonly file: string } | { readonly kind: 'github' };

/** Returns `--report github|junit=FILE`. */
export const reportOption = (): Option =>
  new Option(
    '--report <format>',
    'Report for CI: junit=FILE, or github for annotations and a step summary (repeatable)',
  ).argParser((text: string, before: readonly ReportTarget[] | undefined): ReportTarget[] => {
    if (text === 'github') return [...(before ?? []), { kind: 'github' }];
    const [, file] = /^junit=(.+)$/s.exec(text) ?? [];
    if (file !== undefined) return [...(before ?? []), { kind: 'junit', file }];
    throw new InvalidArgumentError('Expected github or junit=FILE, such as junit=out.xml.');
  });

function parseRunId(text: string): string {
  if (new RegExp(runIdPattern).test(text)) return text;
  throw new InvalidArgumentError('A run ID must be 1 to 64 characters: letters, digits, "-" and "_".');
}

function parseDagName(text: string): string {
  if (new RegExp(dagNamePattern).test(text)) return text;
  throw new InvalidArgumentError(
    'A name must be 1 to 40 characters: letters, digits, "_", "." and "-". It cannot be "." or "..".',
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

/**
 * Returns the DAG of a command with parameters after `--`, which commander does not distinguish from the words before
 * it. Throws `bad_request` for a second word before `--`.
 * @param suspect returns a suggestion if the first word may be a mistyped command and the second is not a parameter
 */
export function readDag(
  command: Command,
  { words: args }: ProgramHooks,
  suspect: (first: string) => string | undefined = () => undefined,
): string | undefined {
  const [dag, surplus] = command.args.slice(0, command.args.length - args.length);
  if (dag === undefined || surplus === undefined) return dag;
  const suggestion = surplus.includes('=') ? undefined : suspect(dag);
  if (suggestion !== undefined)
    throw new AppError('bad_request', `Unknown command "${dag}".`, { details: { hint: suggestion } });
  const hint = `Put parameters after --, for example: engine ${command.name()} DAG -- NAME=value`;
  throw new AppError('bad_request', `Unexpected argument "${surplus}" after "${dag}".`, {
    details: { hint },
  });
}

/** Parses a duration to seconds. */
export function durationArgument(text: string): number {
  const seconds = parseSpan(text);
  if (seconds !== undefined && seconds > 0) return seconds;
  throw new InvalidArgumentError('Expected a duration such as 30m, 8h or 2d.');
}
