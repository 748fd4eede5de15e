/** Keys of a workflow that decide when it is due, folded as `canonical-keys.ts` folds them. */
const wanted = new Set(['schedule', 'timezone', 'tz', 'catchup', 'catchupwindow', 'name']);

const keyLine = /^([A-Za-z][A-Za-z_]*)[ \t]*:(?:[ \t\r]|$)/;

/** What a text says of when it is due. */
export interface WorkflowHead {
  /** A workflow with nothing else, and one step. */
  readonly text: string;
  readonly hasSchedule: boolean;
}

/**
 * The part of a workflow's text that says when it is due: thousands of files are read when a scheduler starts, and
 * steps are most of their text. It may be no YAML by itself, when it refers to the rest.
 * @returns undefined when the first document is not a plain block of keys, so that the whole text has to be read
 */
export function readHead(text: string): WorkflowHead | undefined {
  const kept: string[] = [];
  let isKept = false;
  let hasSchedule = false;
  let hasKeys = false;
  for (const line of text.split('\n')) {
    if (belongsToKeyBefore(line)) {
      if (isKept) kept.push(line);
      continue;
    }
    if (/^---\s*$/.test(line)) {
      if (hasKeys) break;
      continue;
    }
    const key = keyLine.exec(line)?.[1]?.replaceAll('_', '').toLowerCase();
    if (key === undefined) return undefined;
    hasKeys = true;
    isKept = wanted.has(key);
    hasSchedule ||= key === 'schedule';
    if (isKept) kept.push(line);
  }
  return { text: `${kept.join('\n')}\nsteps: ["true"]\n`, hasSchedule };
}

/** Blank lines, comments, what is indented, and the items of a list. */
const belongsToKeyBefore = (line: string): boolean => /^(?:[ \t\r#]|- |-$|$)/.test(line);
