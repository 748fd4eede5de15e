import {
  isMap,
  isScalar,
  isSeq,
  type Document,
  type Node,
  type YAMLMap,
  type Pair,
  type YAMLSeq,
} from 'yaml';
import { handlerNames } from '../model/workflow-rules.ts';
import type { StepAction } from '../model/step.ts';
import { nameSteps } from '../spec/normalize/graph.ts';
import { createReport } from '../spec/source.ts';
import { findExecutorType, plainStepTypes } from '../model/step-types.ts';
import { summaryLine } from '../base/text.ts';
import {
  resolveNode,
  readFields,
  getKeyText,
  getNodeText,
  type Field,
  indexReferences,
  readDepends,
  resolveDependencies,
  type AuthoredDependency,
} from './step-fields.ts';
import type { AuthoredPath, TextRange } from './outline.ts';
import { getNodeEnd } from './yaml/entries.ts';
import { canonicalName } from '../spec/foreign-fields.ts';

/** The steps of one document with their nodes, used for the outline and for edits. */
export interface DocumentSteps {
  readonly document: Document.Parsed;
  /** Fields of the workflow; none if the document is not a map. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly type: 'chain' | 'graph';
  /** The list or map of steps, with aliases resolved. */
  readonly container: Node | null;
  readonly drafts: readonly StepDraft[];
  /** Names of the drafts in the same order, as the engine generates them. */
  readonly names: readonly string[];
  /** Entries of `depends` for each draft. */
  readonly written: readonly (readonly AuthoredDependency[] | undefined)[];
  /** Step index by name or ID. */
  readonly references: ReadonlyMap<string, number>;
  /** Indexes of the steps that each step depends on. */
  readonly waitsFor: readonly (readonly number[])[];
  readonly handlers: readonly StepDraft[];
}

/** Reads the steps of a document as far as possible, whatever errors it has. */
export function readSteps(document: Document.Parsed): DocumentSteps {
  const root: Node | null = document.contents;
  const fields = isMap(root) ? readFields(root, 'workflow', document) : new Map<string, Field>();
  const steps = fields.get('steps');
  const container = steps?.value ?? null;
  const drafts = draftSteps(container, [steps?.key ?? 'steps'], document);
  const names = nameDrafts(drafts);
  const written = drafts.map((draft) => readDepends(draft, document));
  const references = indexReferences(drafts, names);
  const type = getNodeText(fields.get('type')?.value) === 'graph' ? 'graph' : 'chain';
  return {
    document,
    fields,
    type,
    container,
    drafts,
    names,
    written,
    references,
    waitsFor: resolveDependencies(
      type,
      drafts,
      written.map((list) => list && resolve(list, references)),
    ),
    handlers: readHandlers(fields.get('handlerOn'), document),
  };
}

function resolve(list: readonly AuthoredDependency[], references: ReadonlyMap<string, number>): number[] {
  const found = list.map(({ reference }) => references.get(reference));
  return [...new Set(found.filter((index) => index !== undefined))];
}

/** Names the drafts with the engine's own rules. */
function nameDrafts(drafts: readonly StepDraft[]): string[] {
  const report = createReport('', '');
  const node = { kind: 'scalar', start: 0, value: null, text: '' } as const;
  return nameSteps(
    drafts.map(({ name, item, kind }) => ({
      name,
      item,
      source: { node, path: '' },
      authored: kind.prefix === 'parallel' ? { parallel: [''] } : {},
      ...(kind.prefix === 'step' ? {} : { action: getAction(kind.prefix) }),
    })),
    report,
  );
}

const plainActions: Readonly<Record<string, StepAction>> = {
  cmd: { kind: 'command', command: '' },
  script: { kind: 'script', script: '' },
  dag: { kind: 'dag', dag: '', params: [] },
  parallel: { kind: 'command', command: '' },
};

const getAction = (prefix: string): StepAction =>
  plainActions[prefix] ?? { kind: 'executor', type: prefix as 'http', config: {} };

function readHandlers(field: Field | undefined, document: Document.Parsed): StepDraft[] {
  const map = field?.value;
  if (!isMap(map)) return [];
  const found = listHandlers(map, document, field!.key);
  return handlerNames.flatMap((name) => found.find((handler) => handler.name === name) ?? []);
}

function listHandlers(map: YAMLMap, document: Document.Parsed, key: string): StepDraft[] {
  return map.items.flatMap((pair) => {
    const written = getKeyText(pair.key);
    const name = canonicalName(written, 'handlers');
    const value = resolveNode(pair.value, document);
    if (name === undefined || !isScalar(pair.key) || isSeq(value) || value === null) return [];
    if (isScalar(value) && value.value === null) return [];
    const draft = draftStep(pair.value, { path: [key, written], item: 0, isGrouped: false }, document);
    return [{ ...draft, name, nameNode: pair.key, pair }];
  });
}

/** The action of a step as far as it is recognizable. */
interface StepKind {
  /** `command`, `script`, `dag`, or the `type` as written. */
  readonly kind: string;
  /** One-line summary. */
  readonly detail: string;
  /** Prefix of generated names (core/spec/normalize/graph.ts). */
  readonly prefix: string;
}

type Fields = ReadonlyMap<string, Field>;

/** Returns the kind of a step that is a string. */
function getTextKind(text: string): StepKind {
  const isScript = text.trim().includes('\n');
  return isScript
    ? { kind: 'script', detail: summaryLine(text), prefix: 'script' }
    : { kind: 'command', detail: text.trim(), prefix: text.trim() === '' ? 'step' : 'cmd' };
}

/** Returns the kind of a step that is a map. */
function getFieldsKind(fields: Fields, document: Document.Parsed): StepKind {
  const { kind, prefix } = readKind(fields, document);
  const isParallel = hasField(fields, 'parallel');
  const detail = kind === 'approval' ? readQuestion(fields) : readDetail(fields);
  return { kind, prefix: isParallel ? 'parallel' : prefix, detail };
}

const hasField = (fields: Fields, name: string): boolean => {
  const value = fields.get(name)?.value;
  return value !== undefined && value !== null && !(isScalar(value) && value.value === null);
};

const getText = (fields: Fields, name: string): string | undefined => getNodeText(fields.get(name)?.value);

function readKind(fields: Fields, document: Document.Parsed): { kind: string; prefix: string } {
  const type = readType(fields, document) ?? '';
  const executor = findExecutorType(type);
  if (executor !== undefined) return { kind: type, prefix: executor };
  if (!plainStepTypes.includes(type)) return { kind: type, prefix: 'step' };
  if (type === '' && hasField(fields, 'container')) return { kind: 'container', prefix: 'container' };
  return readPlainKind(fields);
}

/** Reads `type: http` or `type: {type: http, config: …}`. */
function readType(fields: Fields, document: Document.Parsed): string | undefined {
  const type = fields.get('type')?.value;
  return isMap(type)
    ? getNodeText(readFields(type, 'stepType', document).get('type')?.value)
    : getNodeText(type);
}

function readPlainKind(fields: Fields): { kind: string; prefix: string } {
  if (hasField(fields, 'run')) return { kind: 'dag', prefix: 'dag' };
  if (hasField(fields, 'script')) return { kind: 'script', prefix: 'script' };
  if (!hasField(fields, 'command')) return { kind: 'command', prefix: 'step' };
  if (isSeq(fields.get('command')?.value)) return { kind: 'command', prefix: 'cmd' };
  return getTextKind(getText(fields, 'command') ?? '');
}

function readDetail(fields: Fields): string {
  const run = getText(fields, 'run');
  if (run !== undefined) return run.trim();
  const command = fields.get('command')?.value;
  if (isSeq(command))
    return command.items
      .map((item) => getNodeText(item as Node | null) ?? '')
      .join(' ')
      .trim();
  const text = getNodeText(command);
  const script = getText(fields, 'script');
  return summaryLine(text !== undefined && text.trim() !== '' ? text : (script ?? ''));
}

/** Returns the question of an approval step. */
function readQuestion(fields: Fields): string {
  const config = fields.get('config')?.value;
  const question = isMap(config) ? (config.get('question', true) as Node | undefined) : undefined;
  return summaryLine(getNodeText(question) ?? '');
}

/** A step or handler in the text. */
export interface StepDraft {
  readonly path: AuthoredPath;
  /** The step as written: a string, a map, or an alias. */
  readonly written: Node | null;
  /** The node with aliases resolved. */
  readonly node: Node | null;
  /** In a map of steps or handlers: the pair whose value it is. */
  readonly pair?: Pair;
  /** Index of the item it belongs to; members of a group share one. */
  readonly item: number;
  readonly isGrouped: boolean;
  /** Empty if it is not written. */
  readonly name: string;
  readonly nameNode?: Node;
  /** Empty for a step that is a string. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly kind: StepKind;
}

const noFields: ReadonlyMap<string, Field> = new Map();

/** Flattens lists, groups and the map form to one list in the order of the file. */
function draftSteps(steps: Node | null, path: AuthoredPath, document: Document.Parsed): StepDraft[] {
  if (isSeq(steps)) return draftList(steps, path, document);
  return isMap(steps) ? draftMap(steps, path, document) : [];
}

function draftList(steps: YAMLSeq, path: AuthoredPath, document: Document.Parsed): StepDraft[] {
  return steps.items.flatMap((item, index) => {
    const at = [...path, index];
    const group = resolveNode(item, document);
    if (!isSeq(group)) return [draftStep(item, { path: at, item: index, isGrouped: false }, document)];
    return group.items.map((member, position) =>
      draftStep(member, { path: [...at, position], item: index, isGrouped: true }, document),
    );
  });
}

function draftMap(steps: YAMLMap, path: AuthoredPath, document: Document.Parsed): StepDraft[] {
  return steps.items.flatMap((pair, index) => {
    const key = getKeyText(pair.key);
    if (!isScalar(pair.key) || key === '<<') return [];
    const position = { path: [...path, key], item: index, isGrouped: false };
    return [{ ...draftStep(pair.value, position, document), name: key, nameNode: pair.key, pair }];
  });
}

/** Drafts one step, handler or shorthand. */
export function draftStep(
  written: unknown,
  position: Pick<StepDraft, 'path' | 'item' | 'isGrouped'>,
  document: Document.Parsed,
): StepDraft {
  const node = resolveNode(written, document);
  const base = { ...position, written: (written as Node | null) ?? null, node };
  if (!isMap(node))
    return { ...base, name: '', fields: noFields, kind: getTextKind(getNodeText(node) ?? '') };
  const fields = readFields(node, 'step', document);
  const name = fields.get('name')?.value ?? undefined;
  return {
    ...base,
    name: getNodeText(name) ?? '',
    ...(name === undefined ? {} : { nameNode: name }),
    fields,
    kind: getFieldsKind(fields, document),
  };
}

/** Returns the range of a node without trailing line breaks and comments. */
export function getNodeRange(node: Node | null | undefined, text: string): TextRange | undefined {
  if (node?.range === undefined || node.range === null) return undefined;
  const [from] = node.range;
  return { from, to: from + text.slice(from, getNodeEnd(text, node)).trimEnd().length };
}
