/** Keys of a workflow that decide when it is due, folded as `canonical-keys.ts` folds them. */
const wanted = new Set(['schedule', 'timezone', 'tz', 'catchup', 'catchupwindow', 'name']);

const keyLine = /^([A-Za-z][A-Za-z_]*)[ \t]*:(?:[ \t\r]|$)/;

/** More keys than a workflow has fields, and more lines than schedules need: such a text is no plain workflow. */
const maxKeys = 200;
const maxKeptLines = 10_000;

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
  let keys = 0;
  for (const line of linesOf(text)) {
    if (line === '' || belongsToKeyBefore(line)) {
      if (isKept && kept.push(line) > maxKeptLines) return undefined;
      continue;
    }
    if (/^---\s*$/.test(line)) {
      if (keys > 0) break;
      continue;
    }
    const key = keyLine.exec(line)?.[1]?.replaceAll('_', '').toLowerCase();
    keys += 1;
    if (key === undefined || keys > maxKeys) return undefined;
    isKept = wanted.has(key);
    hasSchedule ||= key === 'schedule';
    if (isKept) kept.push(line);
  }
  return { text: `${kept.join('\n')}\nsteps: ["true"]\n`, hasSchedule };
}

/** One at a time: a list of the lines of a large text would take longer than reading them. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  if (start < text.length) yield text.slice(start);
}

/** Blank lines, comments, what is indented, and the items of a list. */
const belongsToKeyBefore = (line: string): boolean => /^(?:[ \t\r#]|- |-$)/.test(line);
