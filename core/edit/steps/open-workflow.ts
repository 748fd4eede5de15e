import { visit } from 'yaml';
import {
  type NodeRef,
  type EditRejection,
  type Edit,
  type EditResult,
  applyChanges,
  type ChangeSet,
  reject,
} from '../text-change.ts';
import type { NodePath } from '../outline.ts';
import { hasContent } from '../build-outline.ts';
import { readSteps, type DocumentSteps, type StepDraft } from '../read-steps.ts';
import { type EditableText, readEditable } from '../yaml/editable-text.ts';
import { combine } from '../yaml/text-edits.ts';
import { getAnchors } from '../yaml/walk.ts';
import type { StepGraph } from './check-connection.ts';
import { hasAnchors } from '../yaml/guard-anchors.ts';

/** One workflow of a text, parsed for edits of its steps. */
export interface OpenWorkflow extends DocumentSteps {
  readonly editable: EditableText;
  /** Index of the document in the file. */
  readonly index: number;
  /** Whether it is the first workflow of the file, whose steps are referenced without a document. */
  readonly isMain: boolean;
}

/** Returns the part of the outline that does not need the text. */
export const getStepGraph = ({ type, names, waitsFor, handlers }: OpenWorkflow): StepGraph => ({
  type,
  steps: names.map((name, position) => ({ name, depends: waitsFor[position]!.map((each) => names[each]!) })),
  handlers,
});

const opened = Symbol('workflows of a text');

/** A text with a cache of its opened workflows. */
interface Opened extends EditableText {
  [opened]?: Map<number | undefined, OpenWorkflow | EditRejection>;
}

/**
 * Opens a workflow of a text; the result is cached.
 * @param index document index; default: the first document with content
 */
export function openWorkflow(editable: EditableText, index?: number): OpenWorkflow | EditRejection {
  const cached = ((editable as Opened)[opened] ??= new Map());
  let workflow = cached.get(index);
  if (workflow === undefined) cached.set(index, (workflow = open(editable, index)));
  return workflow;
}

function open(editable: EditableText, documentIndex: number | undefined): OpenWorkflow | EditRejection {
  const { syntaxError, documents, lines } = editable;
  if (syntaxError !== undefined) {
    const { line } = lines.locate(syntaxError.offset);
    return reject(`Invalid YAML in line ${line}. ${syntaxError.message}`);
  }
  const main = Math.max(documents.findIndex(hasContent), 0);
  const index = documentIndex ?? main;
  const document = documents[index];
  if (document === undefined) return reject(`The file has no document ${index + 1}.`);
  const steps = readSteps(document);
  return { ...steps, editable, index, isMain: index === main };
}

/** Returns the index of a step among the drafts; undefined if no step has this name. */
export function findStepIndex({ names }: OpenWorkflow, ref: NodeRef): number | undefined {
  const index = ref.section === 'step' ? names.indexOf(ref.name) : -1;
  return index === -1 ? undefined : index;
}

/** Returns the draft of a step or handler. */
export function getDraft(workflow: OpenWorkflow, ref: NodeRef): StepDraft | undefined {
  if (ref.section === 'handler') return workflow.handlers.find(({ name }) => name === ref.name);
  const index = findStepIndex(workflow, ref);
  return index === undefined ? undefined : workflow.drafts[index];
}

/** Returns a reference to a step or handler of this workflow. */
export const nodeRefIn = (
  { index, isMain }: OpenWorkflow,
  name: string,
  section: NodeRef['section'] = 'step',
): NodeRef => ({ section, name, ...(!isMain && { document: index }) });

/** Returns the address of a value in this workflow. */
export const nodePathIn = ({ index }: OpenWorkflow, path: NodePath['path']): NodePath => ({
  document: index,
  path,
});

type Step = (workflow: OpenWorkflow) => EditResult;

/**
 * Combines successive edits, each on the text that the previous one produces, into one. Returns the first error.
 * @param index document index; default: the main workflow
 */
export function composeEdits(
  editable: EditableText,
  index: number | undefined,
  steps: readonly Step[],
): EditResult {
  let current = editable;
  const edits: ChangeSet[] = [];
  let select: readonly NodeRef[] | undefined;
  for (const step of steps) {
    const workflow = openWorkflow(current, index);
    if ('reason' in workflow) return workflow;
    const result = step(workflow);
    if (!result.ok) return result;
    select = result.select ?? select;
    if (result.changes.length === 0) continue;
    edits.push(result.changes);
    current = readEditable(applyChanges(current.text, result.changes), current);
  }
  const broken = edits.length > 0 ? findBrokenAlias(editable, current) : undefined;
  if (broken !== undefined) return { ok: false, reason: broken };
  const changes = edits.length === 1 ? edits[0]! : combine(editable.text, ...edits);
  return { ok: true, changes, ...(select === undefined ? {} : { select }) };
}

/** Combines edits of one text at separate positions. */
export function mergeEdits(...results: readonly EditResult[]): EditResult {
  const refused = results.find((result): result is EditRejection => !result.ok);
  if (refused !== undefined) return refused;
  const edits = results as readonly Edit[];
  return { ok: true, changes: sortChanges(edits.flatMap((edit) => edit.changes)) };
}

/** Sorts changes by position; insertions come before deletions. */
export const sortChanges = (changes: ChangeSet): ChangeSet =>
  changes.toSorted((a, b) => a.from - b.from || a.to - b.to);

/** An edit without changes. */
export const noEdit: Edit = { ok: true, changes: [] };

/**
 * Explains why steps cannot be removed or reordered: an alias would lose its anchor or precede it.
 * @param before the current text
 * @param after the text after the edit
 */
function findBrokenAlias(before: EditableText, after: EditableText): string | undefined {
  if (!hasAnchors(before)) return undefined;
  const known = new Set(listUnresolvedAliases(before));
  const broken = listUnresolvedAliases(after).find((name) => !known.has(name));
  return broken === undefined
    ? undefined
    : `The anchor &${broken} must be before the aliases that use it. Replace those aliases with their values in the source first.`;
}

/** Lists the names of aliases without an anchor before them. */
function listUnresolvedAliases({ documents }: EditableText): string[] {
  return documents.flatMap((document) => {
    const table = getAnchors(document);
    const names: string[] = [];
    visit(document, {
      Alias(_, alias) {
        if (table.getTarget(alias) === undefined) names.push(alias.source);
      },
    });
    return names;
  });
}
