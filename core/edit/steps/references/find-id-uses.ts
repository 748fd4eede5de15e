import { isStepProperty } from '../../../spec/expand/expand.ts';
import { parseTemplate } from '../../../spec/expand/parse-template.ts';
import type { Segment } from '../../../spec/expand/segment.ts';
import { scanShellText } from '../../../executors/shell/scan-shell-text.ts';
import { listReferences } from '../../../executors/shell/shell-part.ts';

/** Who expands a text: the engine (docs/expansion.md), or a POSIX shell by its own rules of quoting. */
export type TextKind = 'template' | 'shell';

/** What looks like a reference to a property of a step: where its id stands, and whether it is one. */
export interface IdUse {
  readonly from: number;
  readonly to: number;
  readonly isReal: boolean;
}

/** Every place in a text, or in its source, where an id stands behind `$` or `${` and before a dot. */
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
 * The candidates of a text, each with whether the engine takes it for the step's. Each gets a name of its own, and the
 * text is read as the engine reads it: what comes out as a reference is one.
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

/** Names whose properties a template asks for. */
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
