import { isMap } from 'yaml';
import {
  type Edit,
  type EditResult,
  type NodeRef,
  type EditRejection,
  applyChanges,
  reject,
} from '../text-change.ts';
import { readEditable, type EditableText } from '../yaml/editable-text.ts';
import { RawYaml } from '../yaml/read-value.ts';
import { setValue } from '../yaml/set-value.ts';
import { valueText } from './names.ts';
import { findReferencedUnnamed, materializeNames } from './expand-text.ts';
import {
  nodePathIn,
  findStepIndex,
  openWorkflow,
  nodeRefIn,
  type OpenWorkflow,
  composeEdits,
  noEdit,
  mergeEdits,
} from './open-workflow.ts';
import { insertSteps, writeStep, prepareStep, type NewStep } from './insert-steps.ts';
import { getEntry, getEntrySource, type StepSource } from './step-source.ts';
import { changeDepends, namesYaml, expandToMap } from './connect.ts';
import { formatMissingStep, rejectInChain } from './check-connection.ts';

/**
 * Where a step is inserted. In a chain, this determines when it runs; a position next to a step of a group is next to
 * the group.
 */
export interface StepPosition {
  readonly after?: NodeRef;
  readonly before?: NodeRef;
}

export interface StepToAdd extends StepPosition {
  readonly step: NewStep;
  /**
   * Made unique. If absent, the step keeps its own name or has none, except in a map of steps, where it always gets
   * one.
   */
  readonly name?: string;
  /** Steps that it depends on. */
  readonly dependsOn?: readonly NodeRef[];
}

/**
 * Adds a step, by default at the end.
 * @param document document index; default: that of the referenced steps
 */
export function addStep(
  editable: EditableText,
  added: StepToAdd,
  document = (added.after ?? added.before)?.document,
): EditResult {
  if (editable.syntaxError === undefined && editable.documents.length === 0)
    return addToEmpty(editable, added);
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const position = findPosition(workflow, added);
  if (typeof position !== 'number') return reject(formatMissingStep(position));
  const missing = added.dependsOn?.find((ref) => findStepIndex(workflow, ref) === undefined);
  if (missing !== undefined) return reject(formatMissingStep(missing));
  const sources = (added.dependsOn ?? []).map((ref) => findStepIndex(workflow, ref)!);
  return insertStep(workflow, { step: added.step, name: added.name, position, sources });
}

/** Adds a step to a text without a document. */
function addToEmpty(editable: EditableText, added: StepToAdd): EditResult {
  const empty = readEditable('steps: []\n');
  const result = addStep(empty, added);
  if (!result.ok) return result;
  const at = editable.text.length;
  const isOpen = at > 0 && !editable.text.endsWith('\n');
  const insert = (isOpen ? '\n' : '') + applyChanges(empty.text, result.changes);
  return { ...result, changes: [{ from: at, to: at, insert }] };
}

/** Returns the index of the new item, or the reference to a step that does not exist. */
function findPosition(workflow: OpenWorkflow, { after, before }: StepPosition): number | NodeRef {
  const { drafts } = workflow;
  const neighbour = after ?? before;
  if (neighbour === undefined) return (drafts.at(-1)?.item ?? -1) + 1;
  const index = findStepIndex(workflow, neighbour);
  if (index === undefined) return neighbour;
  return drafts[index]!.item + (after === undefined ? 0 : 1);
}

interface Insertion {
  readonly step: NewStep;
  readonly name: string | undefined;
  /** Index among the items. */
  readonly position: number;
  /** Indexes of the steps that it depends on. */
  readonly sources: readonly number[];
  /** A step that will depend on the new step instead of on another one. */
  readonly target?: { readonly position: number; readonly insteadOf: number };
}

function insertStep(
  workflow: OpenWorkflow,
  { step, name, position, sources, target }: Insertion,
): EditResult {
  const { drafts } = workflow;
  // Steps before the new one keep their indexes.
  const at = drafts.filter(({ item }) => item < position).length;
  const isNeeded = isMap(workflow.container) || target !== undefined;
  const prepared = prepareStep(workflow, step, { ...(name === undefined ? {} : { name }), isNeeded });
  if ('reason' in prepared) return prepared;
  const source = sources.length === 0 ? prepared : addDepends(workflow, prepared, sources);
  if ('reason' in source) return source;
  const referred = [...findReferencedUnnamed(workflow)].filter((index) => index >= at);
  const result = composeEdits(workflow.editable, workflow.index, [
    (current) => materializeNames(current, [...referred, ...sources]),
    (current) =>
      mergeEdits(
        target === undefined
          ? noEdit
          : changeDepends(current, target.position, {
              drop: new Set([target.insteadOf]),
              add: [source.name],
            }),
        insertSteps(current, position, [source]),
      ),
  ]);
  if (!result.ok) return result;
  const added = source.name === '' ? findName(workflow, result, at) : source.name;
  return { ...result, select: [nodeRefIn(workflow, added)] };
}

/** Adds the dependencies to the step in a small separate text, because the text of the workflow may be long. */
function addDepends(
  workflow: OpenWorkflow,
  source: StepSource,
  sources: readonly number[],
): StepSource | EditRejection {
  const names = sources.map((index) => workflow.names[index]!);
  const yaml = names.length === 1 ? valueText(names[0]!) : namesYaml(workflow, names);
  const alone = readEditable(`steps:\n${writeStep(source, 2)}`);
  const result = composeEdits(alone, undefined, [
    (current) => expandToMap(current, 0),
    (current) => {
      const { fields, path } = current.drafts[0]!;
      if (fields.has('depends')) return changeDepends(current, 0, { add: names });
      return setValue(current.editable, nodePathIn(current, [...path, 'depends']), new RawYaml(yaml));
    },
  ]);
  if (!result.ok) return result;
  const changed = openWorkflow(readEditable(applyChanges(alone.text, result.changes)));
  if ('reason' in changed) return changed;
  return { ...getEntrySource(changed.editable.text, getEntry(changed, 0)!), name: source.name };
}

/** Returns the name that the engine gives to the inserted step. */
function findName({ editable, index }: OpenWorkflow, edit: Edit, position: number): string {
  const after = openWorkflow(readEditable(applyChanges(editable.text, edit.changes), editable), index);
  return 'reason' in after ? '' : (after.names[position] ?? '');
}

export interface NewStepOnEdge {
  /** The step that finishes first. */
  readonly source: NodeRef;
  /** The step that depends on it. */
  readonly target: NodeRef;
  readonly step: NewStep;
  readonly name?: string;
}

/**
 * Inserts a new step between two connected steps: it depends on the first one, and the second one depends on it.
 * @param document document index; default: that of the referenced steps
 */
export function insertOnEdge(
  editable: EditableText,
  edge: NewStepOnEdge,
  document = edge.source.document,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const [source, target] = [findStepIndex(workflow, edge.source), findStepIndex(workflow, edge.target)];
  if (source === undefined) return reject(formatMissingStep(edge.source));
  if (target === undefined) return reject(formatMissingStep(edge.target));
  if (!workflow.waitsFor[target]!.includes(source))
    return reject(`"${edge.target.name}" no longer depends on "${edge.source.name}".`);
  const { drafts, type } = workflow;
  const inserted = { step: edge.step, name: edge.name, position: drafts[source]!.item + 1 };
  if (type === 'graph')
    return insertStep(workflow, {
      ...inserted,
      sources: [source],
      target: { position: target, insteadOf: source },
    });
  const isBetween = drafts[target]!.item === drafts[source]!.item + 1;
  if (!isBetween || drafts[source]!.isGrouped || drafts[target]!.isGrouped) return rejectInChain();
  return insertStep(workflow, { ...inserted, sources: [] });
}
