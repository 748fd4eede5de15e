import { createUniqueNames } from '../choose-name.ts';
import { findTopLines } from './scan-shell.ts';

/** A section of a script under its own comment. */
export interface Section {
  /** The comment, as the name of a step; unique in the script. */
  readonly title: string;
  /** The commands, with further comments. */
  readonly text: string;
}

export interface ScriptSections {
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
export function splitSections(script: string): ScriptSections | undefined {
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
    else steps.push({ title: chooseFree(titleOf(lines[start]!)), text: text.trim() });
  });
  if (steps.length < 2) return undefined;
  const [head = '', ...settings] = preamble;
  // Commands above the first comment run once, as a separate step.
  if (!isSettingsOnly(head)) {
    return {
      preamble: settings.join('\n').trim(),
      steps: [{ title: chooseFree(titleOf('# prepare')), text: head.trim() }, ...steps],
    };
  }
  return { preamble: preamble.join('\n').trim(), steps };
}

function titleOf(line: string): string {
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
