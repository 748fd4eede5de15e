import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { formatParamText } from '../../spec/params.ts';

/** A command to run without a workflow file. */
export interface CommandRequest {
  /** Program and arguments, or one shell command. */
  readonly words: readonly string[];
  readonly name?: string;
  /** Environment variables in order; later ones win. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Absolute paths of dotenv files, which the run reads itself and masks. If set, `.env` is not loaded. */
  readonly dotenv: readonly string[];
  /** Absolute. */
  readonly workdir?: string;
  readonly shell?: string;
  readonly singleton: boolean;
  /** Required worker labels. */
  readonly workerLabels: Readonly<Record<string, string>>;
}

/** Name of the only step. */
export const execStep = 'main';

/**
 * Returns a workflow of one step that runs a command, with its parameters. The words and environment values are passed
 * as parameters, so that nothing in them is expanded, split or executed. Throws `bad_request`.
 */
export function buildExecSpec(options: CommandRequest): { readonly spec: string; readonly params: string } {
  const { words: args } = options;
  const env = new Map(options.env.map(({ name, value }) => [name, value]));
  if (args.length === 0 || args[0]!.trim() === '') {
    throw new AppError('bad_request', 'No command specified.', {
      details: { hint: 'Put the command after --, for example: engine exec -- tar -czf notes.tar.gz notes' },
    });
  }
  const text = shellText(options);
  const positional = text === args[0] ? [] : args.map((value, index) => ({ name: `${index + 1}`, value }));
  const workflow = {
    name: options.name ?? defaultName(args[0]!),
    shell: options.shell,
    workingDir: options.workdir === undefined ? undefined : escapePath(options.workdir, '--workdir'),
    ...(options.dotenv.length > 0 && {
      dotenv: [],
      secretFiles: options.dotenv.map((file) => escapePath(file, '--dotenv')),
    }),
    maxActiveRuns: options.singleton ? 1 : -1,
    workerSelector: Object.keys(options.workerLabels).length === 0 ? undefined : options.workerLabels,
    steps: [{ name: execStep, command: text ?? positional.map(({ name }) => `\${${name}}`) }],
  };
  return {
    spec: toYaml(workflow),
    params: formatParamText([...positional, ...Array.from(env, ([name, value]) => ({ name, value }))]),
  };
}

/** Returns `exec-` and the program name, if valid. */
function defaultName(first: string): string {
  const program = path.basename(first.trim().split(/\s/)[0]!);
  return `exec-${program.replaceAll(/[^A-Za-z0-9_.-]/g, '_')}`.slice(0, 40);
}

/** A single word with shell syntax is a shell command. */
const needsShell = /[\s|&;<>()$`"'*?[\]{}#!]/;

/** Returns the step's shell command; undefined for a program that starts without a shell. */
function shellText({ words: args, shell }: CommandRequest): string | undefined {
  const [first = ''] = args;
  if (args.length === 1) return shell !== undefined || needsShell.test(first) ? first : undefined;
  if (shell === undefined) return undefined;
  const program = path.basename(shell.trim().split(/\s/)[0]!).replace(/\.exe$/i, '');
  if (/^(sh|bash|zsh|ksh|ash|dash)$/.test(program)) return '"$@"';
  if (program === 'fish') return '$argv';
  throw new AppError(
    'bad_request',
    `Shell ${program} takes the whole command as a single argument. Quote the command, or remove --shell.`,
  );
}

/** Returns a path escaped for the workflow. Throws `bad_request` for a path that would run a command. */
function escapePath(file: string, option: string): string {
  if (file.includes('`'))
    throw new AppError(
      'bad_request',
      `${option}: the path "${file}" contains a backtick, which is not supported here.`,
    );
  return file.replaceAll('$', '\\$');
}

/** Converts JSON to YAML. JSON is valid YAML except for some characters that YAML requires to be escaped. */
const toYaml = (workflow: object): string =>
  `${JSON.stringify(workflow, null, 2).replaceAll(
    /[\u007F-\u009F\u2028\u2029\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`;
