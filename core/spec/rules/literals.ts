import type { NodeId } from '../../model/run-event.ts';
import type { Step, StepAction } from '../../model/step.ts';
import type { Workflow } from '../../model/workflow.ts';
import { listReferences, scanShellText } from '../shell/scan-shell-text.ts';
import type { Report } from '../source.ts';

/** Names that strings of a workflow may refer to. */
export interface KnownNames {
  /** Outputs and ids of steps, which only the engine can read. */
  readonly outputs: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
}

/** The parts of a workflow that contain references, and the names that they may refer to. */
export type LiteralSources = Pick<Workflow, 'steps' | 'handlers' | 'secrets' | 'shell' | 'env' | 'params'>;

export function listKnownNames({
  steps,
  handlers,
  secrets,
}: Pick<LiteralSources, 'steps' | 'handlers' | 'secrets'>): KnownNames {
  const all = [...steps, ...Object.values(handlers)];
  const outputs = all.flatMap(({ output, id }) => [output, id]).filter((name) => name !== undefined);
  return { outputs: new Set(outputs), secrets: new Set(secrets?.map(({ name }) => name)) };
}

/** A reference that is not expanded although its author may expect it. */
export interface LiteralValue {
  /** The field of the step that contains it. */
  readonly field: 'command' | 'script' | 'output' | 'preconditions';
  /** The literal reference and its replacement. */
  readonly message: string;
}

/** Maximum number of warnings of one run. */
const maxListed = 20;

/** Lists the references in a workflow that are not expanded, for the log of its run. */
export function listLiterals(workflow: LiteralSources): { message: string; node?: NodeId }[] {
  const { steps, handlers, shell, env, params } = workflow;
  const names = listKnownNames(workflow);
  const notes: { message: string; node?: NodeId }[] = [...env, ...params]
    .flatMap(({ value }) => explainUnsupportedSyntax(value) ?? [])
    .map((message) => ({ message }));
  const add = (step: Step, section: NodeId['section']): void => {
    const envMessages = step.env.flatMap(({ value }) => explainUnsupportedSyntax(value) ?? []);
    const literals = findLiterals(step, shell, names).map(({ message }) => message);
    for (const message of [...envMessages, ...literals])
      notes.push({ message, node: { section, name: step.name } });
  };
  for (const step of steps) if (notes.length < maxListed) add(step, 'step');
  for (const handler of Object.values(handlers)) add(handler, 'handler');
  return notes.slice(0, maxListed);
}

/** Warns about unsupported syntax. Operators after a name are reported when the value is expanded. */
function explainUnsupportedSyntax(value: string): string | undefined {
  const message = explainShellSyntax(value);
  return message === undefined || /^\$\{[^#]/.test(message) ? undefined : message;
}

/** Maximum length of text that is searched; references further down are probably data. */
const maxSearched = 200_000;

/**
 * Finds the references in a step that are not expanded.
 * @param shell shell of the workflow
 */
export function findLiterals(
  step: Step,
  shell: readonly string[] | undefined,
  names: KnownNames,
): LiteralValue[] {
  const literals: LiteralValue[] = [];
  const text = getText(step.action);
  const runner = findRunner(step, shell);
  if (text !== undefined) {
    const { field, content } = text;
    const message = runner.isPosix
      ? findQuoted(content, names)
      : findUnexpandedReference(content, runner.name, names);
    if (message !== undefined) literals.push({ field, message });
    const syntax = runner.isPlainSh ? findBashSyntax(content) : undefined;
    if (syntax !== undefined) literals.push({ field, message: explainBashSyntax(syntax, runner.name) });
    const secret = step.output === undefined ? undefined : findPrintedSecret(content, names);
    if (secret !== undefined)
      literals.push({ field: 'output', message: explainSecret(step.output!, secret) });
  }
  const stepShell = step.shell ?? shell;
  const conditions = step.preconditions
    .map((each) => (each.kind === 'command' ? each.command : ''))
    .join('\n');
  const syntax = getRunner(stepShell?.[0]).isPlainSh ? findBashSyntax(conditions) : undefined;
  if (syntax !== undefined)
    literals.push({
      field: 'preconditions',
      message: explainBashSyntax(syntax, getRunner(stepShell?.[0]).name),
    });
  return literals;
}

function getText(action: StepAction): { field: 'command' | 'script'; content: string } | undefined {
  if (action.kind === 'command') return { field: 'command', content: action.command.slice(0, maxSearched) };
  if (action.kind === 'script') return { field: 'script', content: action.script.slice(0, maxSearched) };
  return undefined;
}

interface Runner {
  readonly name: string;
  readonly isPosix: boolean;
  /** A shell without bash syntax. */
  readonly isPlainSh: boolean;
}

/** Returns what runs the text: its own program, the step's shell, an interpreter line, or the workflow's shell. */
function findRunner({ action, shell: stepShell }: Step, shell: readonly string[] | undefined): Runner {
  if (action.kind !== 'script') return getRunner(...(stepShell ?? shell ?? []));
  const line = /^#![ \t]*(\S.*)/.exec(action.script)?.[1]?.trim().split(/\s+/);
  return getRunner(...(action.command ?? stepShell ?? line ?? shell ?? []));
}

function getRunner(program = 'sh', ...args: readonly string[]): Runner {
  const name = baseName(program);
  if (name === 'env') {
    const next = args.findIndex((word) => !word.startsWith('-') && !word.includes('='));
    if (next >= 0) return getRunner(...args.slice(next));
  }
  const isPlainSh = ['sh', 'dash', 'ash'].includes(name);
  return { name, isPlainSh, isPosix: isPlainSh || ['bash', 'zsh', 'ksh', 'nix-shell'].includes(name) };
}

const baseName = (program: string): string => (program.split(/[/\\]/).at(-1) ?? '').replace(/\.exe$/i, '');

/** A reference with a path, such as `${R.key}`; its name is the first group. */
const pathReference = /\$\{([A-Za-z_][A-Za-z0-9_-]{0,80})[.[][^{}$\s'"`:]{1,200}\}/g;

const findKnown = (text: string, { outputs }: KnownNames): RegExpExecArray[] =>
  [...text.matchAll(pathReference)].filter(([, name]) => outputs.has(name!));

/** Finds a reference that neither the shell nor the engine expands, because it is quoted. */
function findQuoted(text: string, names: KnownNames): string | undefined {
  const written = findKnown(text, names);
  if (written.length === 0) return undefined;
  const parts = scanShellText(text, { ansiQuotes: true });
  const replaced = new Map<string, number>();
  for (const { written: begin, braced } of listReferences(parts))
    if (braced) replaced.set(`${begin}}`, (replaced.get(`${begin}}`) ?? 0) + 1);
  const remaining = written.find(({ 0: reference, index }) => {
    const count = replaced.get(reference) ?? 0;
    if (count > 0) replaced.set(reference, count - 1);
    return count === 0 && !isEscapedOrComment(text, index);
  });
  if (remaining === undefined) return undefined;
  const [reference] = remaining;
  const shell = /\b((?:ba|z|k|da)?sh) (?:-[a-z]+ )*-[a-z]*c\s+'[^']*$/.exec(
    text.slice(Math.max(0, remaining.index - 500), remaining.index),
  );
  const remedy =
    shell === null
      ? `Use double quotes: "${reference}"`
      : `Pass it as an argument: ${shell[1]} -c 'echo "$1"' ${shell[1]} "${reference}"`;
  return `${reference} is not expanded in single quotes. ${remedy}.`;
}

/** Whether the reference is after a backslash or in a comment. */
function isEscapedOrComment(text: string, index: number): boolean {
  if (text[index - 1] === '\\') return true;
  const line = text.slice(text.lastIndexOf('\n', index) + 1, index);
  return /(?:^|\s)#[^']*$/.test(line);
}

/** Finds a reference in a script that the engine does not expand. */
function findUnexpandedReference(text: string, program: string, names: KnownNames): string | undefined {
  const [reference] = findKnown(text, names)[0] ?? [];
  if (reference === undefined) return undefined;
  const variable = reference
    .slice(2, -1)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_');
  return `${reference} is not expanded in scripts for ${program}. Add env: { ${variable}: "${reference}" } to the step and read ${variable} from the environment.`;
}

const explainBashSyntax = (syntax: string, shell: string): string =>
  `${syntax} is not supported by every ${shell}. Use "shell: bash", or POSIX syntax.`;

/** Finds a secret that a step only prints. */
function findPrintedSecret(text: string, { secrets }: KnownNames): string | undefined {
  if (secrets.size === 0 || !/^\s*(?:echo|printf)\s[^\n|;&]*\s*$/.test(text)) return undefined;
  return [...text.matchAll(/\$\{?([A-Za-z_][A-Za-z0-9_]{0,80})/g)]
    .map(([, name]) => name!)
    .find((name) => secrets.has(name));
}

export const explainSecret = (output: string, secret?: string): string =>
  `The output ${output} contains ${secret === undefined ? 'a secret' : `the secret ${secret}`}, which later steps see as *******. Use ${secret === undefined ? 'the secret' : `$${secret}`} directly in those steps.`;

/** Syntax that a shell expands and the engine does not: operators after a name, lengths, arithmetic, substitutions. */
const shellOnly =
  /\\.|'[^']{0,2000}'|`[^`]{0,2000}`|(\$\{#[A-Za-z_]\w{0,80}\}|\$\(\([^()]{0,200}\)\)|\$\([^()]{0,200}\)|\$\{[A-Za-z_]\w{0,80}[%#/^,][^{}]{0,200}\})/gs;

/**
 * Describes the shell syntax in a value that the engine does not expand, as in `env` and `params`; undefined if there
 * is none.
 */
function explainShellSyntax(value: string): string | undefined {
  if (!value.includes('$')) return undefined;
  const found = value.slice(0, 20_000).matchAll(shellOnly);
  const written = [...found].map(([, syntax]) => syntax).find((syntax) => syntax !== undefined);
  if (written === undefined) return undefined;
  return `${written} is not expanded here. Run a command in backticks: \`${asCommand(written)}\`.`;
}

/**
 * Reports shell syntax in a value as a warning.
 * @param offset offset of the value in the file
 */
export function warnAboutShellSyntax(value: string, offset: number, path: string, report: Report): void {
  const message = explainShellSyntax(value);
  if (message !== undefined) report.warningAt(offset, path, message);
}

/** Returns a command that prints the value of the syntax. */
function asCommand(written: string): string {
  if (written.startsWith('$(') && !written.startsWith('$((')) return written.slice(2, -1);
  // Not every sh can replace text or change case.
  return /^\$\{\w+[/^,]/.test(written) ? `bash -c 'echo "${written}"'` : `echo "${written}"`;
}

/**
 * Finds syntax that only bash and similar shells support: `[[ … ]]` or an array, outside quotes; undefined if there is
 * none.
 */
function findBashSyntax(text: string): string | undefined {
  if (!text.includes('[[') && !text.includes('=(') && !/\[[@*]\]/.test(text)) return undefined;
  const plain = removeQuoted(text);
  if (/(?:^|[\n;&|(!{]|\b(?:if|while|until|then|do|else|elif))[ \t]*\[\[\s/.test(plain)) return '[[ … ]]';
  const array = /(?:^|[\s;&|(])([A-Za-z_]\w{0,80})\+?=\(/.exec(plain);
  if (array !== null) return `Array ${array[1]}=(…)`;
  const element = /\$\{([A-Za-z_]\w{0,80})\[[@*]\]/.exec(text);
  return element === null ? undefined : `Array \${${element[1]}[@]}`;
}

/** Removes quoted strings and comments in one pass. */
function removeQuoted(text: string): string {
  let plain = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '\\') at += 1;
    else if (character === "'" || character === '"') at = findQuoteEnd(text, at);
    else if (character === '#' && (at === 0 || /\s/.test(text[at - 1]!))) {
      const end = text.indexOf('\n', at);
      at = (end === -1 ? text.length : end) - 1;
    } else plain += character;
  }
  return plain;
}

function findQuoteEnd(text: string, start: number): number {
  const quote = text[start]!;
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += quote === '"' && text[at] === '\\' ? 2 : 1;
  return at;
}
