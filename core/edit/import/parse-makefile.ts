import { expandMake, type MakeVariable } from './expand-make.ts';
import { findSizeProblem } from './imported-workflow.ts';

/** A rule: target, prerequisites and recipe. */
export interface MakeRule {
  /** 1-based line of the file. */
  readonly line: number;
  readonly target: string;
  readonly prerequisites: readonly string[];
  /** Prerequisites after a bar: made before, but not an input of the recipe. */
  readonly orderOnly: readonly string[];
  /** Lines of the recipe with continuations joined, without the leading tab. */
  readonly recipe: readonly string[];
  /** The comment directly above. */
  readonly comment?: string;
}

export interface Makefile {
  /** In the order of the file, one for each target. */
  readonly rules: ReadonlyMap<string, MakeRule>;
  readonly variables: ReadonlyMap<string, MakeVariable>;
  /** The default target. */
  readonly goal: string | undefined;
  /** Parts that could not be parsed, one sentence each. */
  readonly notes: readonly string[];
}

/** A rule whose lines are still being read. */
interface OpenRule extends MakeRule {
  readonly needs: Set<string>;
  readonly recipe: string[];
  readonly order: Set<string>;
  comment?: string;
}

/** Maximum number of prerequisites and recipe lines, counted for every target they belong to. */
const maxParts = 200_000;

interface Reading {
  readonly rules: Map<string, OpenRule>;
  readonly variables: Map<string, MakeVariable>;
  readonly notes: string[];
  /** Targets whose recipe the next lines with a tab belong to. */
  current: string[];
  comment: string[];
  goal: string | undefined;
  /** Inside a `define`. */
  inDefine: boolean;
  /** Remaining number of prerequisites and recipe lines. */
  remainingParts: number;
}

const variable = /^\s*(?:export\s+|override\s+)?([A-Za-z_.][\w.-]*)\s*(\?=|:{0,3}=|\+=|!=)(.*)$/;
const rule = /^(?<targets>[^\s:=#][^:=#]*)::?(?!=)(?<needs>[^;#]*)(?:;(?<inline>.*)|#+(?<help>.*))?$/;
const directive =
  /^-?(ifn?eq|ifn?def|else|endif|s?include|define|endef|vpath|export|unexport|undefine|load)\b/;

/** Parses the parts of a makefile that describe work (GNU make manual, chapters 3 to 6). */
export function parseMakefile(text: string): Makefile {
  const reading: Reading = {
    rules: new Map(),
    variables: new Map(),
    notes: [],
    current: [],
    comment: [],
    goal: undefined,
    inDefine: false,
    remainingParts: maxParts,
  };
  const problem = findSizeProblem(text);
  if (problem !== undefined) return { ...reading, notes: [problem] };
  for (const { line, content } of joinLines(text)) readLine(reading, line, content);
  const first = [...reading.rules.keys()].find((name) => !name.startsWith('.') || name.includes('/'));
  for (const name of reading.rules.keys()) if (/^\.[A-Z_]+$/.test(name)) reading.rules.delete(name);
  if (reading.remainingParts < 0)
    reading.notes.push(`Rules have more than ${maxParts} prerequisites and lines. The rest was skipped.`);
  const rules = new Map<string, MakeRule>();
  for (const [target, { needs, order, ...read }] of reading.rules)
    rules.set(target, { ...read, prerequisites: [...needs], orderOnly: [...order] });
  return { rules, variables: reading.variables, notes: reading.notes, goal: reading.goal ?? first };
}

/** Joins continued lines; a recipe keeps the backslash for the shell. */
function joinLines(text: string): { line: number; content: string }[] {
  const joined: { line: number; content: string }[] = [];
  let open: { readonly line: number; readonly lines: string[] } | undefined;
  const close = (): void => {
    if (open === undefined) return;
    const { line, lines } = open;
    const isRecipe = lines[0]!.startsWith('\t');
    const last = lines.length - 1;
    const content = isRecipe
      ? lines.map((part, index) => (index === 0 ? part : part.replace(/^\t/, ''))).join('\n')
      : lines
          .map((part, index) => withoutContinuation(index === 0 ? part : part.trim(), index < last))
          .join(' ');
    joined.push({ line, content });
    open = undefined;
  };
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    open ??= { line: index + 1, lines: [] };
    open.lines.push(content);
    if (!isContinued(content)) close();
  }
  close();
  return joined;
}

/** Whether the line ends with an odd number of backslashes. */
function isContinued(line: string): boolean {
  let count = 0;
  while (line[line.length - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}

/** Removes the backslash that continues a line, and the space before it. */
const withoutContinuation = (line: string, isContinuedLine: boolean): string =>
  isContinuedLine ? line.slice(0, -1).trimEnd() : line;

function readLine(reading: Reading, line: number, content: string): void {
  if (reading.inDefine) {
    if (/^\s*endef\b/.test(content)) reading.inDefine = false;
    return;
  }
  if (content.startsWith('\t')) {
    reading.remainingParts -= reading.current.length;
    if (reading.remainingParts < 0) return;
    for (const target of reading.current) reading.rules.get(target)!.recipe.push(content.slice(1));
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
    reading.notes.push(`Line ${line}: "${word}" is not supported and was skipped.`);
    return;
  }
  const found = rule.exec(content)?.groups;
  if (found === undefined)
    reading.notes.push(`Line ${line} was skipped: it is neither a rule nor a variable.`);
  else if (/^\s*\w+\s*[?:+]?=/.test(found['needs']!)) {
    reading.notes.push(
      `Line ${line}: the variable for target "${found['targets']!.trim()}" was skipped. Add it to "env" of the step.`,
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
  const value = text.replace(/(?<!\\)#.*$/, '').trim();
  const before = variables.get(name);
  if (name === '.DEFAULT_GOAL') reading.goal = value;
  else if (operator === '!=') variables.set(name, { value: `$(shell ${value})`, isDefault: false });
  else if (operator === '+=') {
    variables.set(name, {
      value: before === undefined || before.value === '' ? value : `${before.value} ${value}`,
      isDefault: before?.isDefault ?? false,
    });
  } else if (operator !== '?=' || before === undefined)
    variables.set(name, { value, isDefault: operator === '?=' });
}

/** The parts of a rule's first line, as matched by {@link rule}. */
type RuleLine = Readonly<Record<string, string | undefined>>;

function addRule(reading: Reading, line: number, found: RuleLine): void {
  const [targets, needs] = [found['targets']!.replace(/&$/, ''), found['needs']!.trim()];
  const comment =
    found['help']?.trim() ?? (reading.comment.length > 0 ? reading.comment.join(' ') : undefined);
  const inline = found['inline']?.trimStart();
  const [names = [], orderOnly = []] = needs.split('|').map((part) => splitWords(expandNames(reading, part)));
  reading.current = [];
  for (const target of new Set(splitWords(expandNames(reading, targets)))) {
    if (target.includes('%')) {
      reading.notes.push(
        `Line ${line}: the pattern rule for "${target}" was skipped. Write its steps manually.`,
      );
      continue;
    }
    reading.remainingParts -= 1 + names.length + orderOnly.length;
    if (reading.remainingParts < 0) return;
    const open = reading.rules.get(target) ?? openRule(line, target);
    reading.rules.set(target, open);
    for (const name of names) open.needs.add(name);
    for (const name of orderOnly) open.order.add(name);
    if (inline !== undefined) open.recipe.push(inline);
    if (comment !== undefined) open.comment = comment;
    reading.current.push(target);
  }
}

const openRule = (line: number, target: string): OpenRule => ({
  ...{ line, target, prerequisites: [], orderOnly: [] },
  ...{ recipe: [], needs: new Set(), order: new Set() },
});

/** Expands file names when the line is read, with the variables set above it. */
function expandNames({ variables }: Reading, text: string): string {
  const expanded = expandMake(text, { target: '', prerequisites: [] }, variables, new Set());
  return 'text' in expanded ? expanded.text : text;
}

const splitWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
