import { Document } from 'yaml';
import type { JsonValue } from '../../base/json.ts';

/** A workflow from an import, to review before it is saved. */
export interface ImportedWorkflow {
  /** File name without its extension; valid according to core/base/ids.ts, and unique within one import. */
  readonly name: string;
  readonly text: string;
  /** Differences from the original, one sentence each. */
  readonly notes: readonly string[];
  /** For a job of a crontab. */
  readonly job?: ImportedJob;
  /** For a job of a crontab: the addresses that cron mailed. */
  readonly mailTo?: readonly string[];
}

export interface ImportedJob {
  /** 1-based line in the crontab. */
  readonly line: number;
  readonly schedule: string;
  readonly command: string;
}

/** Result of an import: the workflows, or an error message. */
export type ImportResult =
  | {
      readonly ok: true;
      readonly workflows: readonly ImportedWorkflow[];
      readonly notes: readonly string[];
      /** For a crontab: jobs that start in the same minute, one sentence each. */
      readonly collisions?: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** Maximum length of an imported text in UTF-16 code units, and maximum number of its lines with content. */
const maxCharacters = 1024 * 1024;
const maxLines = 20_000;

/** Returns the error message if a text is too large to import, else undefined. */
export function findSizeProblem(text: string, linesAllowed = maxLines): string | undefined {
  if (text.length > maxCharacters)
    return `The file has ${text.length} characters. The limit is ${maxCharacters}.`;
  let lines = 0;
  for (const _ of text.matchAll(/^[^\S\n]*[^\s#]/gm)) lines += 1;
  return lines > linesAllowed ? `The file has ${lines} lines. The limit is ${linesAllowed}.` : undefined;
}

/** The fields of a workflow in the order in which they are written; undefined ones are omitted. */
export type WorkflowDraft = Readonly<Record<string, JsonValue | undefined>>;

/** Formats a workflow as YAML with blank lines between the steps, without folding long strings. */
export function writeWorkflow(draft: WorkflowDraft): string {
  const fields = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
  const document = new Document(fields, { aliasDuplicateObjects: false });
  const steps: unknown = document.get('steps');
  if (hasItems(steps)) {
    steps.items.forEach((step, index) => {
      if (index > 0) step.spaceBefore = true;
    });
  }
  return document.toString({ lineWidth: 0, indentSeq: true });
}

const hasItems = (node: unknown): node is { items: { spaceBefore?: boolean }[] } =>
  typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items);

const maxLength = 40;

/**
 * Returns a function that generates unique names for workflows: letters, digits, `_`, `.` and `-`, at most 40
 * characters.
 */
export function createNames(): (preferredName: string) => string {
  const chooseFree = createUniqueNames((name, number) => {
    const ending = `-${number}`;
    return name.slice(0, maxLength - ending.length) + ending;
  });
  return (preferredName) => chooseFree(toWorkflowName(preferredName));
}

/**
 * Returns a function that generates unique strings by adding a number to a string that is taken.
 * @param addNumber returns a different string for each number
 */
export function createUniqueNames(
  addNumber: (text: string, number: number) => string,
): (preferredName: string) => string {
  const usedNames = new Set<string>();
  /** The next number to try; starting from the beginning for many equal strings would take quadratic time. */
  const numbers = new Map<string, number>();
  return (preferredName) => {
    let free = preferredName;
    for (let number = numbers.get(preferredName) ?? 2; usedNames.has(free); number += 1) {
      free = addNumber(preferredName, number);
      numbers.set(preferredName, number + 1);
    }
    usedNames.add(free);
    return free;
  };
}

/** Converts a string to the name of a workflow; `imported` if nothing is left. */
export function toWorkflowName(preferredName: string): string {
  const name = preferredName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, maxLength);
  return name === '' ? 'imported' : name;
}
