import {
  createNames,
  findSizeProblem,
  writeWorkflow,
  type ImportResult,
  createUniqueNames,
} from './imported-workflow.ts';

export interface ShellImport {
  /** File name of the script. */
  readonly fileName: string;
  readonly script: string;
  /** Creates one step for each section under a comment, instead of one for the whole script. */
  readonly split?: boolean;
}

/**
 * Imports a shell script. As one step, it runs the script unchanged. With `split`, each section under a comment
 * becomes a step that starts with the script's preamble (`set`, constants, functions); notes list variables and
 * directory changes that a section passes to the next one, because they do not reach another process.
 */
export function importShellScript({ fileName, script, split = false }: ShellImport): ImportResult {
  const problem = findSizeProblem(script);
  if (problem !== undefined) return { ok: false, reason: problem };
  const text = script.replaceAll('\r\n', '\n');
  if (text.trim() === '') return { ok: false, reason: 'The script is empty. Choose a file with commands.' };
  const interpreter = /^#!.*$/m.exec(text.split('\n', 1)[0]!)?.[0] ?? '#!/bin/sh';
  if (!/\b(?:ba|da|k|z|a)?sh\b/.test(interpreter)) {
    return {
      ok: false,
      reason: `This is a "${interpreter.slice(2).trim()}", not a shell script. Put it in the "script" field of a step, which supports other interpreters.`,
    };
  }
  const name = createNames()(fileName.replace(/\.\w+$/, ''));
  const { description, body } = readHead(text);
  const sections = split ? splitSections(body) : undefined;
  const repeated = (sections?.preamble.length ?? 0) * (sections?.steps.length ?? 0);
  if (repeated > maxRepeated)
    return {
      ok: false,
      reason: `Each of the ${sections!.steps.length} steps would start with the same ${sections!.preamble.length} characters. Import the script as a single step, or move the shared part to a file.`,
    };
  const draft = {
    description,
    params: listArguments(text),
    steps: sections
      ? sections.steps.map((section) => writeStep(interpreter, sections.preamble, section))
      : [{ name: 'script', script: withInterpreter(interpreter, body) }],
  };
  const notes = [
    ...(split && sections === undefined
      ? ['The script has no comment lines that start sections, so it becomes a single step.']
      : []),
    ...(sections ? findCrossSectionChanges(sections) : []),
    ...(draft.params
      ? ['The arguments of the script were converted to parameters. Set their defaults.']
      : []),
  ];
  return { ok: true, workflows: [{ name, text: writeWorkflow(draft), notes }], notes: [] };
}

/** Maximum length of the preamble in all steps together; a workflow file may have 4 MiB. */
const maxRepeated = 3 * 1024 * 1024;

function writeStep(interpreter: string, preamble: string, { title, text }: Section) {
  const script = preamble === '' ? text : `${preamble}\n\n${text}`;
  return { name: title, script: withInterpreter(interpreter, script) };
}

const withInterpreter = (interpreter: string, script: string): string =>
  `${interpreter}\n${script.replace(/^\n+/, '').trimEnd()}\n`;

/**
 * Lists the positional parameters `$1`, `$2`, … of the script, as parameters without a value; functions have their own
 * arguments.
 */
function listArguments(text: string): string[] | undefined {
  if (/^[ \t]*(?:function[ \t]+\w+|\w+[ \t]*\(\))/m.test(text)) return undefined;
  const places = [...text.matchAll(/(?<!\\)\$(?:\{([1-9])\b|([1-9]))/g)].map(([, braced, bare]) =>
    Number(braced ?? bare),
  );
  if (places.length === 0) return undefined;
  return Array.from({ length: Math.max(...places) }, () => '""');
}

/** A section of a script under its own comment. */
interface Section {
  /** The comment, as the name of a step; unique in the script. */
  readonly title: string;
  /** The commands, with further comments. */
  readonly text: string;
}

interface ScriptSections {
  /**
   * Code that every section needs: options, constants and functions from the start of the script and from between
   * sections.
   */
  readonly preamble: string;
  readonly steps: readonly Section[];
}

const heading = /^#+[\s=*-]*(?<words>[^\s=*#-].*?)[\s=*#-]*$/;

/**
 * Splits a script at comments that follow an empty line at its top level.
 * @returns undefined if there are fewer than two sections with commands
 */
function splitSections(script: string): ScriptSections | undefined {
  const lines = script.split('\n');
  const isTop = findTopLines(script);
  const starts = lines.flatMap((line, index) => {
    const isHeading = isTop[index] && heading.test(line) && (index === 0 || lines[index - 1]!.trim() === '');
    return isHeading ? [index] : [];
  });
  const preamble: string[] = [lines.slice(0, starts[0] ?? lines.length).join('\n')];
  const steps: Section[] = [];
  const chooseFree = createUniqueNames((title, number) => `${title} ${number}`);
  starts.forEach((start, index) => {
    const text = lines.slice(start + 1, starts[index + 1] ?? lines.length).join('\n');
    if (isSettingsOnly(text)) preamble.push(lines[start]!, text);
    else steps.push({ title: chooseFree(getTitle(lines[start]!)), text: text.trim() });
  });
  if (steps.length < 2) return undefined;
  const [head = '', ...settings] = preamble;
  // Commands above the first comment run once, as a separate step.
  if (!isSettingsOnly(head)) {
    return {
      preamble: settings.join('\n').trim(),
      steps: [{ title: chooseFree(getTitle('# prepare')), text: head.trim() }, ...steps],
    };
  }
  return { preamble: preamble.join('\n').trim(), steps };
}

function getTitle(line: string): string {
  const words = heading.exec(line)?.groups?.['words'] ?? 'part';
  return words.replace(/[.:]$/, '').slice(0, 60).trim();
}

const setting =
  /^(?:set\s|shopt\s|umask\s|(?:export\s+|readonly\s+)?[A-Za-z_]\w*=(?!.*(?:\$\(|`))|(?:\.|source)\s|trap\s)/;
const functionStart = /^(?:function\s+[\w-]+|[\w-]+\s*\(\))/;

/** Whether a text only contains settings, so that it can be repeated in another process. */
function isSettingsOnly(text: string): boolean {
  const isTop = findTopLines(text);
  const lines = text.split('\n');
  let inFunction = false;
  return lines.every((line, index) => {
    if (!isTop[index]) return inFunction;
    const plain = line.trim();
    inFunction = functionStart.test(plain);
    // The brace that closes a function is at the same level as its body's first line.
    return plain === '' || plain.startsWith('#') || plain === '}' || inFunction || setting.test(plain);
  });
}

/**
 * Finds changes in a section that later sections rely on but that end with its process. Returns one sentence for each.
 */
function findCrossSectionChanges({ steps, preamble }: ScriptSections): string[] {
  const shared = setVariables(preamble);
  const readLater = new Set<string>();
  const notes: string[][] = [];
  // From the last section on, so that each is read once.
  for (const [index, { title, text }] of [...steps.entries()].toReversed()) {
    const names = [...setVariables(text)].filter((name) => !shared.has(name) && readLater.has(name));
    notes.push([
      ...names.map(
        (name) =>
          `"${title}" sets ${name}, which a later step reads. Print the value and use "output: ${name}".`,
      ),
      ...(changesDirectory(text) && index < steps.length - 1
        ? [`"${title}" changes the directory, which has no effect on later steps. Set "dir" in those steps.`]
        : []),
    ]);
    for (const name of readVariables(text)) readLater.add(name);
  }
  return notes.toReversed().flat();
}

function setVariables(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/(?:^|[;\s])(?:export\s+|readonly\s+)?([A-Za-z_]\w*)=/gm)].map(([, name]) => name!),
  );
}

const readVariables = (text: string): string[] =>
  [...text.matchAll(/\$(?:\{[#!]?)?([A-Za-z_]\w*)/g)].map(([, name]) => name!);

/** Whether a section changes the directory at its top level; in a subshell, the change ends with it. */
function changesDirectory(text: string): boolean {
  const isTop = findTopLines(text);
  return text.split('\n').some((line, index) => isTop[index] && /^(?:cd|pushd)\s/.test(line));
}

/** Words that open a compound command, and the words that close it. */
const closers = new Map([
  ['if', 'fi'],
  ['for', 'done'],
  ['while', 'done'],
  ['until', 'done'],
  ['select', 'done'],
  ['case', 'esac'],
  ['{', '}'],
  ['(', ')'],
]);
/** Words after which a command follows. */
const commandFollows = new Set([
  'then',
  'do',
  'else',
  'elif',
  'if',
  'while',
  'until',
  '!',
  '{',
  '(',
  ')',
  ';',
  '&',
  '|',
]);

/**
 * Returns for each line of a script whether it starts at the top level: outside every compound command, quote,
 * here-document and continued line. If the words do not match, no further line is at the top level.
 */
export function findTopLines(script: string): boolean[] {
  const scan: Scan = { open: [], quote: undefined, heredocs: [], continued: false, isCommand: true };
  return script.split('\n').map((line) => {
    const isTop =
      scan.open.length === 0 && scan.quote === undefined && scan.heredocs.length === 0 && !scan.continued;
    scanLine(line, scan);
    return isTop;
  });
}

interface Scan {
  /** Closing words of the open compound commands, innermost last. */
  open: string[];
  quote: '"' | "'" | undefined;
  /** Delimiters of here-documents that follow. */
  heredocs: { end: string; indented: boolean }[];
  continued: boolean;
  /** Whether the next word is a command, so that `done` as an argument closes nothing. */
  isCommand: boolean;
}

// A comment, a here-document operator, an escaped character, a variable, a quote, an operator, or a word.
const token =
  /(?<comment>(?<=^|[\s;&|()])#.*)|<<(?<dash>-?)\s*(?<mark>'[^']*'|"[^"]*"|\\?[\w.-]+)|(?<escape>\\.)|(?<value>\$\{(?:[^{}]|\{[^{}]*\})*\})|(?<quote>["'])|(?<operator>;;|[;&|(){}!])|(?<word>[^\s;&|(){}"'\\<]+|<)/g;

function scanLine(line: string, scan: Scan): void {
  const [heredoc] = scan.heredocs;
  if (heredoc !== undefined) {
    if ((heredoc.indented ? line.replace(/^\t+/, '') : line) === heredoc.end) scan.heredocs.shift();
    return;
  }
  let rest = line;
  if (!scan.continued) scan.isCommand = true;
  while (rest !== '') rest = scan.quote === undefined ? scanPlain(rest, scan) : scanQuoted(rest, scan);
  scan.continued = scan.quote === undefined && /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
}

/** Scans to the end of the line or to the start of a quote. Returns the rest of the line. */
function scanPlain(text: string, scan: Scan): string {
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { quote, mark, dash, operator, word, value } = match.groups!;
    if (quote !== undefined) {
      scan.quote = quote as '"' | "'";
      scan.isCommand = false;
      return text.slice(token.lastIndex);
    }
    if (mark !== undefined)
      scan.heredocs.push({ end: mark.replaceAll(/['"\\]/g, ''), indented: dash === '-' });
    else if (operator !== undefined) takeWord(operator, scan);
    else if (word !== undefined) takeWord(word, scan);
    else if (value !== undefined) scan.isCommand = false;
  }
  return '';
}

function takeWord(word: string, scan: Scan): void {
  const closer = closers.get(word);
  if (closer !== undefined && (scan.isCommand || word === '(')) scan.open.push(closer);
  // The closing parenthesis of a `case` pattern finds `esac` here, and closes nothing.
  else if (word === scan.open.at(-1)) scan.open.pop();
  scan.isCommand = commandFollows.has(word) || word === ';;';
}

/** Scans to the end of the quote. Returns the rest of the line. */
function scanQuoted(text: string, scan: Scan): string {
  const end = scan.quote === "'" ? text.indexOf("'") : (/^(?:\\.|[^"\\])*"/.exec(text)?.[0].length ?? 0) - 1;
  if (end < 0) return '';
  scan.quote = undefined;
  return text.slice(end + 1);
}

/** The lines above the first command of a script. */
export interface ScriptHead {
  /** The first comment, if it is prose. */
  readonly description: string | undefined;
  /** The script without its `#!` line and the description. */
  readonly body: string;
}

/** Reads the first comment of a script as its description; decorative lines are ignored. */
function readHead(text: string): ScriptHead {
  const lines = text.split('\n');
  if (lines[0]?.startsWith('#!')) lines.shift();
  const begin = lines.findIndex((line) => line.trim() !== '');
  lines.splice(0, begin < 0 ? lines.length : begin);
  const length = lines.findIndex((line) => !line.startsWith('#'));
  const comment = lines.slice(0, Math.max(0, length));
  // A comment directly above a command describes that command.
  if (comment.length === 0 || lines[length]?.trim() !== '')
    return { description: undefined, body: lines.join('\n') };
  const words = comment.map((line) => line.replace(/^#+\s?/, '').trim()).filter((line) => /\w/.test(line));
  if (words.length === 0) return { description: undefined, body: lines.join('\n') };
  return { description: words.join(' '), body: lines.slice(length + 1).join('\n') };
}
