/** Keys of a workflow that affect when it is due, normalized like in `canonical-keys.ts`. */
const scheduleKeys = new Set(['schedule', 'timezone', 'tz', 'catchup', 'catchupwindow', 'name']);

const keyLine = /^([A-Za-z][A-Za-z_]*)[ \t]*:(?:[ \t\r]|$)/;

/**
 * More keys than a workflow has fields, and more lines than schedules need: a file beyond this is not a plain workflow.
 */
const maxKeys = 200;
const maxKeptLines = 10_000;

/** The part of a source that defines its schedule. */
export interface WorkflowHead {
  /** A workflow with only these keys, and one step. */
  readonly text: string;
  readonly hasSchedule: boolean;
}

/**
 * Extracts the part of a workflow's source that defines its schedule: thousands of files are read when a scheduler
 * starts, and steps are most of their content. The part may be invalid YAML alone, when it refers to the rest.
 * @returns undefined when the first document is not a plain block of keys, so that the whole source has to be parsed
 */
export function readHead(text: string): WorkflowHead | undefined {
  const headLines: string[] = [];
  let isWithinKey = false;
  let hasSchedule = false;
  let keys = 0;
  for (const line of linesOf(text)) {
    if (line === '' || isContinuation(line)) {
      if (isWithinKey && headLines.push(line) > maxKeptLines) return undefined;
      continue;
    }
    if (/^---\s*$/.test(line)) {
      if (keys > 0) break;
      continue;
    }
    const key = keyLine.exec(line)?.[1]?.replaceAll('_', '').toLowerCase();
    keys += 1;
    if (key === undefined || keys > maxKeys) return undefined;
    isWithinKey = scheduleKeys.has(key);
    hasSchedule ||= key === 'schedule';
    if (isWithinKey) headLines.push(line);
  }
  return { text: `${headLines.join('\n')}\nsteps: ["true"]\n`, hasSchedule };
}

/** Yields one line at a time: splitting a large file into a list would take longer than reading its lines. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  if (start < text.length) yield text.slice(start);
}

/** Whether a line belongs to the key before it: blank lines, comments, indented lines, and list items do. */
const isContinuation = (line: string): boolean => /^(?:[ \t\r#]|- |-$)/.test(line);
