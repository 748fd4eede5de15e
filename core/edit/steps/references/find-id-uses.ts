import { isStepProperty } from '../../../spec/expand/expand.ts';
import { parseTemplate } from '../../../spec/expand/parse-template.ts';
import type { Segment } from '../../../spec/expand/segment.ts';
import { scanShellText } from '../../../executors/shell/scan-shell-text.ts';
import { listReferences } from '../../../executors/shell/shell-part.ts';

/** Which rules expand a string: those of the engine (docs/expansion.md), or those of a POSIX shell. */
export type TextKind = 'template' | 'shell';

/** A possible reference to a property of a step: the range of its id, and whether it is a reference. */
export interface IdUse {
  readonly from: number;
  readonly to: number;
  readonly isReal: boolean;
}

/** Finds every position in a string, or in its source, where an id is between `$` or `${` and a dot. */
export function findCandidates(text: string, id: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let at = text.indexOf(`${id}.`); at !== -1; at = text.indexOf(`${id}.`, at + 1)) {
    const isBare = text[at - 1] === '$' && !id.includes('-');
    const isBraced = text[at - 1] === '{' && text[at - 2] === '$';
    if (isBare || isBraced) found.push({ from: at, to: at + id.length });
  }
  return found;
}

/**
 * Checks each candidate in a string. Replaces each id by a unique name and parses the string like the engine: a name
 * that is parsed as a reference is one.
 */
export function findIdUses(text: string, id: string, kind: TextKind): IdUse[] {
  const candidates = findCandidates(text, id);
  if (candidates.length === 0) return [];
  const stem = makeStem(text);
  let marked = '';
  let at = 0;
  candidates.forEach(({ from, to }, index) => {
    marked += `${text.slice(at, from)}${stem}${index}x`;
    at = to;
  });
  const names = new Set(
    kind === 'shell' ? readShell(marked + text.slice(at)) : readTemplate(marked + text.slice(at)),
  );
  return candidates.map((candidate, index) => ({ ...candidate, isReal: names.has(`${stem}${index}x`) }));
}

function makeStem(text: string): string {
  let stem = 'Ref';
  while (text.includes(stem)) stem += 'q';
  return stem;
}

/** Returns the names whose properties a template refers to. */
const readTemplate = (text: string): string[] => parseTemplate(text).flatMap(readSegment);

function readSegment(segment: Segment): string[] {
  switch (segment.kind) {
    case 'literal':
    case 'unsupported':
      return [];
    case 'command':
      return readShell(segment.command);
    case 'reference': {
      const [first] = segment.path;
      const own = first !== undefined && isStepProperty(first.key) ? [segment.name] : [];
      const { modifier } = segment;
      const inner = modifier === undefined || modifier.kind === 'slice' ? [] : modifier.segments;
      return [...own, ...inner.flatMap(readSegment)];
    }
  }
}

const readShell = (text: string): string[] =>
  listReferences(scanShellText(text, { ansiQuotes: true }))
    .filter(({ path }) => isStepProperty(/^\.([A-Za-z0-9_]+)/.exec(path)?.[1] ?? ''))
    .map(({ name }) => name);
