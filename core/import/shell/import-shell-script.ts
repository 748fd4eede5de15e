import { createNames } from '../choose-name.ts';
import { findSizeProblem, writeWorkflow, type ImportResult } from '../imported-workflow.ts';
import { findCrossSectionChanges } from './find-crossings.ts';
import { readHead } from './read-head.ts';
import { splitSections, type Section } from './split-sections.ts';

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
      reason: `This script is for "${interpreter.slice(2).trim()}", not for a shell. Put it into the "script" field of a step, which also supports interpreters.`,
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
