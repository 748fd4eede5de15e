import { isMap, isScalar, isSeq, type Document, type Node, type YAMLMap } from 'yaml';
import { handlerNames } from '../../model/workflow/handler-name.ts';
import type { StepAction } from '../../model/workflow/step.ts';
import { nameSteps } from '../../spec/rules/graph/names.ts';
import { createReport } from '../../spec/source/report.ts';
import { canonicalName, follow, readFields, textOfKey, textOfNode, type Field } from './fields.ts';
import { draftStep, draftSteps, type StepDraft } from './step-drafts.ts';
import { indexReferences, readDepends, resolveDependencies, type AuthoredDependency } from './wiring.ts';

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
  /** Step index by name or id. */
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
  const type = textOfNode(fields.get('type')?.value) === 'graph' ? 'graph' : 'chain';
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
      ...(kind.prefix === 'step' ? {} : { action: actionOf(kind.prefix) }),
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

const actionOf = (prefix: string): StepAction =>
  plainActions[prefix] ?? { kind: 'executor', type: prefix as 'http', config: {} };

function readHandlers(field: Field | undefined, document: Document.Parsed): StepDraft[] {
  const map = field?.value;
  if (!isMap(map)) return [];
  const found = listHandlers(map, document, field!.key);
  return handlerNames.flatMap((name) => found.find((handler) => handler.name === name) ?? []);
}

function listHandlers(map: YAMLMap, document: Document.Parsed, key: string): StepDraft[] {
  return map.items.flatMap((pair) => {
    const written = textOfKey(pair.key);
    const name = canonicalName(written, 'handlers');
    const value = follow(pair.value, document);
    if (name === undefined || !isScalar(pair.key) || isSeq(value) || value === null) return [];
    if (isScalar(value) && value.value === null) return [];
    const draft = draftStep(pair.value, { path: [key, written], item: 0, isGrouped: false }, document);
    return [{ ...draft, name, nameNode: pair.key, pair }];
  });
}
