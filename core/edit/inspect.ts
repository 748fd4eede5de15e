import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Pair, type YAMLMap } from 'yaml';
import type { JsonValue } from '../base/json.ts';
import type { NodeRef } from './text-change.ts';
import { getPathKey, type AuthoredPath, type TextRange } from './outline.ts';
import { listMerged, readFields, getKeyText } from './step-fields.ts';
import { getDraft, openWorkflow, type OpenWorkflow } from './steps/open-workflow.ts';
import { childKind } from './steps/set-step-field.ts';
import { getAnchors, isMergeKey } from './yaml/walk.ts';
import type { EditableText } from './yaml/editable-text.ts';
import { getNodeEnd } from './yaml/entries.ts';
import { isKeySpelling, type MapKind } from './yaml/keys.ts';
import { plainValue, readValue } from './yaml/read-value.ts';
import { authoredKeys } from '../spec/authored-keys.ts';

/** The target of a form: steps and handlers, or the workflow itself when empty. */
export type Target = readonly NodeRef[];

/** One value written for a step or a workflow. */
export interface FieldState {
  /** As parsed by the engine. */
  readonly value: JsonValue;
  /** Its YAML without indentation. */
  readonly source: string;
  /** The range of the key or item with its value. */
  readonly range: TextRange;
  /** Path from the top of the document, as the author spelled it. */
  readonly written: AuthoredPath;
  /** The anchor that the value comes from, if it is not written here. */
  readonly origin?: { readonly anchor: string; readonly line: number };
}

/** The values below a target, by {@link getPathKey} of their canonical path. */
export type FieldStates = Readonly<Record<string, FieldState>>;

/** The written values of one target. */
export interface InspectedTarget {
  /** Index of its document in the file. */
  readonly document: number;
  readonly range: TextRange;
  readonly fields: FieldStates;
  /** Unknown keys. */
  readonly unknown: readonly string[];
  /** Whether a step or handler is written as a string, which is its command. */
  readonly isText: boolean;
}

/** The written values of several targets in one version of the text; undefined for a missing target. */
export type Inspection = readonly (InspectedTarget | undefined)[];

/** Workflow fields whose parts are separate targets. */
const apart: ReadonlySet<string> = new Set(['steps', 'handlerOn']);
const maxDepth = 6;

/**
 * Reads the values of steps and handlers of one workflow, or with undefined of the workflow itself. Never
 * throws.
 * @param document its index. Default: the main workflow
 */
export function inspect(
  editable: EditableText,
  refs: readonly (NodeRef | undefined)[],
  document = refs[0]?.document,
): Inspection {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return refs.map(() => undefined);
  return refs.map((ref) => inspectOne(workflow, ref));
}

function inspectOne(workflow: OpenWorkflow, ref: NodeRef | undefined): InspectedTarget | undefined {
  const { document, index, editable } = workflow;
  if (ref === undefined) {
    const reader = new Reader(workflow);
    reader.readMap(document.contents, { written: [], path: [], kind: 'workflow' });
    return {
      document: index,
      range: getRange(document.contents, editable.text),
      ...reader.result,
      isText: false,
    };
  }
  const draft = getDraft(workflow, ref);
  if (draft === undefined) return undefined;
  const reader = new Reader(workflow);
  const isText = isScalar(draft.node) && draft.node.value !== null;
  if (isMap(draft.node)) reader.readMap(draft.node, { written: draft.path, path: [], kind: 'step' });
  else if (isText) reader.add(draft.written, draft.written, { written: draft.path, path: ['command'] });
  if (draft.pair !== undefined && ref.section === 'step')
    reader.add(draft.pair.key as Node, draft.pair.key as Node, { written: draft.path, path: ['name'] });
  return { document: index, range: getRange(draft.written, editable.text), ...reader.result, isText };
}

function getRange(node: Node | null, text: string): TextRange {
  if (!node?.range) return { from: 0, to: 0 };
  return { from: node.range[0], to: getNodeEnd(text, node) };
}

interface InspectedPath {
  readonly written: AuthoredPath;
  readonly path: AuthoredPath;
  readonly kind?: MapKind | undefined;
  readonly origin?: FieldState['origin'];
}

/** Collects the values of one target. */
class Reader {
  readonly #editable: EditableText;
  readonly #document: Document.Parsed;
  readonly #index: number;
  readonly #fields: Record<string, FieldState> = {};
  readonly #unknown: string[] = [];

  constructor({ editable, document, index }: OpenWorkflow) {
    this.#editable = editable;
    this.#document = document;
    this.#index = index;
  }

  get result(): Pick<InspectedTarget, 'fields' | 'unknown'> {
    return { fields: this.#fields, unknown: this.#unknown };
  }

  readMap(node: Node | null, location: InspectedPath): void {
    if (!isMap<Node, Node | null>(node)) return;
    if (location.kind === 'step' || location.kind === 'workflow')
      return this.#readKnown(node, location, location.kind);
    for (const pair of node.items) if (!isMergeKey(pair.key)) this.#readPair(pair, location);
    this.#readMerged(node, location);
  }

  #readKnown(node: Node, location: InspectedPath, kind: 'step' | 'workflow'): void {
    if (!isMap<Node, Node | null>(node)) return;
    const fields = readFields(node, kind, this.#document);
    const known = new Set([...fields.values()].map(({ key }) => key));
    for (const { key } of node.items)
      if (!isMergeKey(key) && !known.has(getKeyText(key))) this.#unknown.push(getKeyText(key));
    const merge = node.items.find(({ key }) => isMergeKey(key));
    for (const [name, field] of fields) {
      const origin = field.isMerged && merge ? this.#getOrigin(merge.value, field.source) : undefined;
      const at = field.isMerged && merge ? merge.key : field.keyNode;
      this.add(at, field.written, {
        written: [...location.written, field.key],
        path: [...location.path, name],
        kind: childKind(kind, name),
        ...(origin && { origin }),
      });
    }
  }

  #readMerged(map: YAMLMap<Node, Node | null>, location: InspectedPath): void {
    const merge = map.items.find(({ key }) => isMergeKey(key));
    if (merge === undefined) return;
    const known = new Set(map.items.map(({ key }) => getKeyText(key)));
    for (const { pair, source } of listMerged(map, this.#document)) {
      const key = getKeyText(pair.key);
      if (isMergeKey(pair.key) || known.has(key)) continue;
      known.add(key);
      const origin = location.origin ?? this.#getOrigin(merge.value, source);
      this.#readPair(pair as Pair<Node, Node | null>, { ...location, ...(origin && { origin }) });
    }
  }

  #readPair({ key, value }: Pair<Node, Node | null>, location: InspectedPath): void {
    const written = getKeyText(key);
    const { kind } = location;
    const name = kind && authoredKeys[kind].find((each) => isKeySpelling(written, each, kind));
    this.add(key, value, {
      ...location,
      written: [...location.written, written],
      path: [...location.path, name ?? written],
      kind: childKind(kind, name ?? written),
    });
  }

  /** @param at the node where the entry starts: its key, or the value itself in a list */
  add(at: Node | null, value: Node | null, location: InspectedPath): void {
    const { text } = this.#editable;
    const origin = location.origin ?? (isAlias(value) ? this.#getOrigin(value) : undefined);
    const start = getRange(at, text);
    const end = location.origin || !value ? start.to : getRange(value, text).to;
    const plain = plainValue(this.#document, value);
    const read = readValue(this.#editable, { document: this.#index, path: location.written });
    this.#fields[getPathKey(location.path)] = {
      value: plain,
      source: read?.source ?? '',
      range: { from: start.from, to: Math.max(start.to, end) },
      written: location.written,
      ...(origin && { origin }),
    };
    const isApart =
      location.path.length === 1 && apart.has(String(location.path[0])) && location.written.length === 1;
    if (isApart || location.path.length >= maxDepth) return;
    const below = { ...location, ...(origin && { origin }) };
    const node = this.#follow(value);
    if (isMap(node)) this.readMap(node, below);
    else if (isSeq<Node | null>(node))
      for (const [index, item] of node.items.entries())
        this.add(item, item, {
          ...below,
          written: [...location.written, index],
          path: [...location.path, index],
        });
  }

  #follow(node: Node | null): Node | null {
    return isAlias(node) ? (getAnchors(this.#document).getTarget(node)?.node ?? null) : node;
  }

  /** @param source the map that contains a merged field, which may be further away than the alias */
  #getOrigin(node: Node | null, source?: Node): FieldState['origin'] {
    const alias = isSeq(node) ? node.items.find((item) => isAlias(item)) : node;
    const table = getAnchors(this.#document);
    const anchor = table.getAnchor(source) ?? (isAlias(alias) ? table.getTarget(alias) : undefined);
    if (anchor === undefined) return undefined;
    const { text, lines } = this.#editable;
    const at = Math.max(0, text.lastIndexOf(`&${anchor.name}`, anchor.offset));
    return { anchor: anchor.name, line: lines.locate(at).line };
  }
}
