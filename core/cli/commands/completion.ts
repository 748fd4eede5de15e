import { existsSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { exitCodes } from '../../base/error-codes.ts';
import { listNames } from '../../home/library/folder-listing.ts';
import { findSubcommand } from '../command-names.ts';
import { findHomePaths, type CommandContext, printLines } from '../command-context.ts';
import type { EngineClient } from '../host/engine-client.ts';
import { oneLine } from '../format.ts';
import { completionScripts, type CompletionShell } from '../completion-scripts.ts';

export interface CompleteInput {
  readonly line: Pick<TypedLine, 'operands' | 'last' | 'prefix'>;
  readonly candidates: Candidates;
}

/** Maximum number of run ids to suggest. */
const maxRuns = 50;

/**
 * Prints candidates for the last word, one per line, with a description after a tab. Errors are ignored, because a
 * shell cannot show them.
 */
export async function runComplete(
  context: CommandContext,
  { line, candidates }: CompleteInput,
): Promise<number> {
  const found = [...candidates.words, ...(await loadCandidates(context, line, candidates.also))];
  const fitting = found.filter(({ word }) => word.startsWith(line.last));
  const lines = fitting.map(
    ({ word, meaning }) => line.prefix + (meaning === undefined ? word : `${word}\t${meaning}`),
  );
  const isFile = candidates.also === 'files' || candidates.also === 'dags';
  await printLines(context, isFile ? [...lines, ':files'] : lines);
  return exitCodes.success;
}

async function loadCandidates(
  context: CommandContext,
  { operands }: CompleteInput['line'],
  what: Candidates['also'],
): Promise<Candidate[]> {
  try {
    if (what === 'dags') return (await listDagFiles(context)).map((word) => ({ word }));
    if (what === 'runs') return await ifHomeExists(context, (host) => listRuns(context, host, operands[0]));
    if (what === 'questions')
      return await ifHomeExists(context, (host) => listQuestions(context, host, operands[0]));
    if (what === 'queues') return await ifHomeExists(context, (host) => listQueues(context, host));
    return [];
  } catch {
    return [];
  }
}

/** Lists file names only; reading the files would be too slow during completion. */
async function listDagFiles(context: CommandContext): Promise<string[]> {
  if (context.server !== undefined) return ifHomeExists(context, (host) => host.workflows.fileNames());
  return [...listNames((await findHomePaths(context)).dags)];
}

/** Runs the lookup only if the home exists, because completion must not create one. */
async function ifHomeExists<Entry>(
  context: CommandContext,
  list: (host: EngineClient) => Promise<Entry[]>,
): Promise<Entry[]> {
  if (context.server === undefined) {
    const { database, data, databaseUrl } = await findHomePaths(context);
    if (!existsSync(databaseUrl === undefined ? database : data)) return [];
  }
  const host = await context.openApi();
  try {
    return await list(host);
  } finally {
    await host.close();
  }
}

async function listRuns(
  { caller }: CommandContext,
  { api, workflows }: EngineClient,
  dag: string | undefined,
): Promise<Candidate[]> {
  const names = dag === undefined ? [undefined] : await workflows.runNames(dag);
  for (const name of names) {
    const filter = { limit: maxRuns, ...(name === undefined ? {} : { name }) };
    const { dagRuns } = await api.call('runs.list', filter, caller);
    if (dagRuns.length > 0)
      return dagRuns.map((run) => ({ word: run.dagRunId, meaning: `${run.name} ${run.status}` }));
  }
  return [];
}

/** Lists steps of a workflow's runs that wait for an answer. */
async function listQuestions(
  { caller }: CommandContext,
  { api, workflows }: EngineClient,
  dag = '',
): Promise<Candidate[]> {
  for (const name of await workflows.runNames(dag)) {
    const { approvals } = await api.call('approvals.list', { dag: name, decision: 'open' }, caller);
    if (approvals.length > 0)
      return approvals.map(({ step, question }) => ({ word: step, meaning: oneLine(question) }));
  }
  return [];
}

async function listQueues({ caller }: CommandContext, { api }: EngineClient): Promise<Candidate[]> {
  const { queues } = await api.call('queues.list', {}, caller);
  return queues.map(({ name, state }) => ({ word: name, meaning: state }));
}

/** Prints the completion script of a shell. */
export async function runCompletion(context: CommandContext, shell: CompletionShell): Promise<number> {
  await context.terminal.stdout.write(completionScripts[shell]);
  return exitCodes.success;
}

/** Candidates for a word on the command line. */
interface Candidates {
  readonly words: readonly Candidate[];
  /** Additional candidates, which need the home or the disk. */
  readonly also?: 'dags' | 'queues' | 'runs' | 'questions' | 'files';
}

interface Candidate {
  readonly word: string;
  readonly meaning?: string | undefined;
}

/** The typed command line, parsed as far as completion needs. */
interface TypedLine {
  /** Command named by the words before the last one; the program if there is none. */
  readonly command: Command;
  /** Words before the last one that are neither commands nor options. */
  readonly operands: readonly string[];
  /** Values of global options, by attribute name (`engineHome`). */
  readonly globals: Readonly<Record<string, string>>;
  /** The option whose value the last word is. */
  readonly option?: Option | undefined;
  /** The incomplete last word, which may be empty; for `--option=value` the value. */
  readonly last: string;
  /** The part that the shell counts as the start of the last word: `--option=`, or empty. */
  readonly prefix: string;
  /** Whether the last word comes after `--`. */
  readonly isBehindDashes: boolean;
}

/** Parses the words of a line whose last word is incomplete. A shell may pass `--option=value` as three words. */
export function readTypedLine(program: Command, typed: readonly string[]): TypedLine {
  const args = typed.flatMap(splitOption);
  const [prefix = ''] = /^--[a-z-]+=/.exec(typed.at(-1) ?? '') ?? [];
  const last = args.pop() ?? '';
  let command = program;
  let option: Option | undefined;
  const operands: string[] = [];
  const globals: Record<string, string> = {};
  for (const [index, word] of args.entries()) {
    if (option !== undefined) {
      if (program.options.includes(option)) globals[option.attributeName()] = word;
      option = undefined;
    } else if (word === '--') {
      const isBehindDashes = true;
      const behind = [...operands, ...args.slice(index + 1)];
      return { command, operands: behind, globals, last, prefix, isBehindDashes };
    } else if (word.startsWith('-')) {
      option = getOptions(program, command).find((each) => isNamed(each, word) && takesValue(each));
    } else {
      const inner = operands.length === 0 ? findSubcommand(command, word) : undefined;
      if (inner === undefined) operands.push(word);
      else command = inner;
    }
  }
  return { command, operands, globals, option, last, prefix, isBehindDashes: false };
}

/** Splits `--format=js` into `--format` and `js`; bash makes `=` a word of its own. */
function splitOption(word: string, index: number, all: readonly string[]): string[] {
  if (word === '=') return index === all.length - 1 ? [''] : [];
  const match = /^(--[a-z-]+)=(.*)$/s.exec(word);
  return match === null ? [word] : [match[1]!, match[2]!];
}

const isNamed = ({ short, long }: Option, word: string): boolean => word === short || word === long;

const takesValue = (option: Option): boolean => option.required || option.optional;

const getOptions = (program: Command, command: Command): readonly Option[] =>
  command === program ? program.options : [...command.options, ...program.options];

/** Returns candidates for the last word. */
export function listCandidates(program: Command, line: TypedLine): Candidates {
  if (line.isBehindDashes) return { words: [], also: line.command.name() === 'exec' ? 'files' : undefined };
  if (line.option !== undefined) return listValues(line.option);
  if (line.last.startsWith('-')) return { words: getOptions(program, line.command).flatMap(toCandidates) };
  return operandCandidates(program, line);
}

function listValues(option: Option): Candidates {
  const args = (option.argChoices ?? []).map((word) => ({ word }));
  const name = option.attributeName();
  if (name === 'runId' || name === 'fromRunId') return { words: [{ word: 'latest' }], also: 'runs' };
  if (name === 'queue') return { words: args, also: 'queues' };
  const isPath = /<(file|dir)>/.test(option.flags);
  return { words: args, also: isPath ? 'files' : undefined };
}

const toCandidates = (option: Option): Candidate[] =>
  option.hidden || option.long === undefined ? [] : [{ word: option.long, meaning: option.description }];

function operandCandidates(program: Command, { command, operands }: TypedLine): Candidates {
  const commands = operands.length > 0 ? [] : listCommands(command);
  // A word in place of a command is the workflow of `start`.
  const real = command === program && operands.length === 0 ? findSubcommand(program, 'start')! : command;
  if (real.name() === 'help') return { words: helpTopics(program) };
  const argument = real.registeredArguments[Math.min(operands.length, real.registeredArguments.length - 1)];
  if (argument === undefined || (operands.length >= real.registeredArguments.length && !argument.variadic))
    return { words: commands };
  const choices = (argument.argChoices ?? []).map((word) => ({ word }));
  const answers = real.name() === 'approve' || real.name() === 'reject';
  const also = answers && argument.name() === 'STEP' ? 'questions' : places[argument.name()];
  return { words: [...commands, ...choices], also };
}

/** Candidates for the arguments of commands. */
const places: Readonly<Record<string, Candidates['also']>> = {
  DAG: 'dags',
  FILE: 'dags',
  QUEUE: 'queues',
  BACKUP: 'files',
};

const listCommands = (command: Command): Candidate[] =>
  command.commands
    .filter((each) => !each.name().startsWith('__'))
    .flatMap((each) =>
      [each.name(), ...each.aliases()].map((word) => ({ word, meaning: each.description() })),
    );

const helpTopics = (program: Command): Candidate[] => [
  ...listCommands(program),
  { word: 'exit-codes' },
  { word: 'environment' },
];
