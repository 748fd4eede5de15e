import { expandMake } from './expand-make.ts';
import type { MakeVariable } from './make-variable.ts';

/** A rule: what is made, of what, and how. */
export interface MakeRule {
  /** 1-based line of the file. */
  readonly line: number;
  readonly target: string;
  readonly prerequisites: readonly string[];
  /** Those after a bar: made before, but no part of what the recipe reads. */
  readonly orderOnly: readonly string[];
  /** Lines of the recipe, continued ones joined, without the leading tab. */
  readonly recipe: readonly string[];
  /** The comment right above. */
  readonly comment?: string;
}

export interface Makefile {
  /** In the order of the file; one for each target. */
  readonly rules: ReadonlyMap<string, MakeRule>;
  readonly variables: ReadonlyMap<string, MakeVariable>;
  /** The target made when none is named. */
  readonly goal: string | undefined;
  /** What was not understood, a sentence each. */
  readonly notes: readonly string[];
}

interface Reading {
  readonly rules: Map<string, { -readonly [Key in keyof MakeRule]: MakeRule[Key] }>;
  readonly variables: Map<string, MakeVariable>;
  readonly notes: string[];
  /** Whose recipe the next lines with a tab belong to. */
  current: string[];
  comment: string[];
  goal: string | undefined;
  /** Inside of `define`. */
  inDefine: boolean;
}

const variable = /^\s*(?:export\s+|override\s+)?([A-Za-z_.][\w.-]*)\s*(\?=|:{0,3}=|\+=|!=)\s*(.*)$/;
const rule =
  /^(?<targets>[^\s:=#][^:=#]*?)\s*&?::?(?!=)\s*(?<needs>[^;#]*?)\s*(?:;\s*(?<inline>.*)|#+\s*(?<help>.*))?$/;
const directive =
  /^-?(ifn?eq|ifn?def|else|endif|s?include|define|endef|vpath|export|unexport|undefine|load)\b/;

/** Reads the parts of a makefile that describe work (GNU make's manual, chapters 3 to 6). */
export function parseMakefile(text: string): Makefile {
  const reading: Reading = {
    rules: new Map(),
    variables: new Map(),
    notes: [],
    current: [],
    comment: [],
    goal: undefined,
    inDefine: false,
  };
  for (const { line, content } of joinLines(text)) readLine(reading, line, content);
  const first = [...reading.rules.keys()].find((name) => !name.startsWith('.') || name.includes('/'));
  for (const name of reading.rules.keys()) if (/^\.[A-Z_]+$/.test(name)) reading.rules.delete(name);
  return { ...reading, goal: reading.goal ?? first };
}

/** Lines with their continuations; a recipe keeps the backslash, which the shell reads. */
function joinLines(text: string): { line: number; content: string }[] {
  const joined: { line: number; content: string }[] = [];
  let open: { line: number; content: string } | undefined;
  text.split(/\r?\n/).forEach((content, index) => {
    if (open === undefined) {
      open = { line: index + 1, content };
      joined.push(open);
    } else if (open.content.startsWith('\t')) open.content += `\n${content.replace(/^\t/, '')}`;
    else open.content = `${open.content.replace(/\s*\\$/, '')} ${content.trim()}`;
    if (!/(?<!\\)(?:\\\\)*\\$/.test(content)) open = undefined;
  });
  return joined;
}

function readLine(reading: Reading, line: number, content: string): void {
  if (reading.inDefine) {
    if (/^\s*endef\b/.test(content)) reading.inDefine = false;
    return;
  }
  if (content.startsWith('\t')) {
    for (const target of reading.current) {
      const known = reading.rules.get(target)!;
      known.recipe = [...known.recipe, content.slice(1)];
    }
    return;
  }
  const trimmed = content.trim();
  if (trimmed.startsWith('#')) {
    reading.comment.push(trimmed.replace(/^#+\s?/, ''));
    return;
  }
  if (trimmed !== '') readStatement(reading, line, content);
  reading.comment = [];
}

function readStatement(reading: Reading, line: number, content: string): void {
  const [, name, operator, value] = variable.exec(content) ?? [];
  if (name !== undefined) {
    reading.current = [];
    setVariable(reading, { name, operator: operator!, value: value! });
    return;
  }
  const [, word] = directive.exec(content.trim()) ?? [];
  if (word !== undefined) {
    reading.inDefine = word === 'define';
    reading.notes.push(`Line ${line}: "${word}" is not read; look at what it changes.`);
    return;
  }
  const found = rule.exec(content)?.groups;
  if (found === undefined)
    reading.notes.push(`Line ${line} was left out: it is neither a rule nor a variable.`);
  else if (/^\w+\s*[?:+]?=/.test(found['needs']!)) {
    reading.notes.push(
      `Line ${line}: the variable for "${found['targets']}" alone is left out; put it into the step's "env".`,
    );
  } else addRule(reading, line, found);
}

interface Assignment {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

function setVariable(reading: Reading, { name, operator, value: text }: Assignment): void {
  const { variables } = reading;
  const value = text.replace(/(?<!\\)\s*#.*$/, '').trim();
  const before = variables.get(name);
  if (name === '.DEFAULT_GOAL') reading.goal = value;
  else if (operator === '!=') variables.set(name, { value: `$(shell ${value})`, isDefault: false });
  else if (operator === '+=') {
    variables.set(name, {
      value: `${before?.value ?? ''} ${value}`.trim(),
      isDefault: before?.isDefault ?? false,
    });
  } else if (operator !== '?=' || before === undefined)
    variables.set(name, { value, isDefault: operator === '?=' });
}

/** The parts of a rule's first line, as {@link rule} finds them. */
type RuleLine = Readonly<Record<string, string | undefined>>;

function addRule(reading: Reading, line: number, { targets = '', needs = '', inline, help }: RuleLine): void {
  const comment = help ?? (reading.comment.length > 0 ? reading.comment.join(' ') : undefined);
  const [names = [], orderOnly = []] = needs.split('|').map((part) => words(expandNames(reading, part)));
  reading.current = [];
  for (const target of words(expandNames(reading, targets))) {
    if (target.includes('%')) {
      reading.notes.push(
        `Line ${line}: the pattern rule for "${target}" is left out; write its steps yourself.`,
      );
      continue;
    }
    const known = reading.rules.get(target);
    reading.rules.set(target, {
      line: known?.line ?? line,
      target,
      prerequisites: [...new Set([...(known?.prerequisites ?? []), ...names])],
      orderOnly: [...new Set([...(known?.orderOnly ?? []), ...orderOnly])],
      recipe: [...(known?.recipe ?? []), ...(inline === undefined ? [] : [inline])],
      ...(comment === undefined ? {} : { comment }),
    });
    reading.current.push(target);
  }
}

/** Names of files are known when the line is read, with the variables set above it. */
function expandNames({ variables }: Reading, text: string): string {
  const expanded = expandMake(text, { target: '', prerequisites: [] }, variables, new Set());
  return 'text' in expanded ? expanded.text : text;
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
