import { isMap, isScalar, isSeq, type Document } from 'yaml';
import type { JsonValue } from '../base/json.ts';
import { loadSpec } from '../spec/load.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Outline, OutlineDocument, OutlineStep, TextRange, StepSettings } from './outline.ts';
import type { EditableText } from './yaml/editable-text.ts';
import { textOfNode, type Field } from './step-fields.ts';
import { readSteps, type DocumentSteps, rangeOfNode, type StepDraft } from './read-steps.ts';
import { plainValue } from './yaml/read-value.ts';

/** Returns the outline of a text; empty if it is not valid YAML. Never throws. */
export function buildOutline({ text, documents }: Pick<EditableText, 'text' | 'documents'>): Outline {
  const main = documents.findIndex(hasContent);
  return {
    documents: documents.flatMap((document, index) =>
      hasContent(document)
        ? [outlineDocument(readSteps(document), { index, text, isMain: index === main })]
        : [],
    ),
  };
}

/** Whether a document has a value; otherwise it is not a workflow. */
export function hasContent({ contents }: Document.Parsed): boolean {
  if (contents === null) return false;
  return !isScalar(contents) || (contents.value !== null && contents.value !== undefined);
}

interface DocumentPosition {
  /** Index of the document in the file. */
  readonly index: number;
  readonly text: string;
  readonly isMain: boolean;
}

/** Returns the outline of one workflow of the file. */
function outlineDocument(steps: DocumentSteps, { index, text, isMain }: DocumentPosition): OutlineDocument {
  const documentRef = isMain ? {} : { document: index };
  const name = textOfNode(steps.fields.get('name')?.value);
  return {
    index,
    ...(name === undefined ? {} : { name }),
    type: steps.type,
    stepsForm: isSeq(steps.container) ? 'list' : isMap(steps.container) ? 'map' : 'none',
    steps: steps.drafts.map((draft, position) => ({
      ...outlineStep(draft, position, steps, text),
      ...documentRef,
    })),
    handlers: steps.handlers.map((draft) => ({
      ...outlineHandler(draft, text, steps.document),
      ...documentRef,
    })),
    ...(rangeOfNode(steps.document.contents, text) ?? { from: 0, to: 0 }),
  };
}

function outlineStep(draft: StepDraft, position: number, steps: DocumentSteps, text: string): OutlineStep {
  return {
    ...describe(draft, text, steps.document),
    section: 'step',
    name: steps.names[position]!,
    isNamed: draft.name !== '',
    ...idOf(draft),
    depends: steps.waitsFor[position]!.map((index) => steps.names[index]!),
    ...(draft.isGrouped ? { group: draft.item } : {}),
  };
}

function outlineHandler(draft: StepDraft, text: string, document: Document.Parsed): OutlineStep {
  return {
    ...describe(draft, text, document),
    section: 'handler',
    name: draft.name,
    isNamed: true,
    ...idOf(draft),
    depends: [],
  };
}

function idOf({ fields }: StepDraft): Pick<OutlineStep, 'id'> {
  const id = textOfNode(fields.get('id')?.value);
  return id === undefined ? {} : { id };
}

type Described = Pick<OutlineStep, 'path' | 'kind' | 'detail' | 'nameRange' | 'settings' | 'from' | 'to'>;

function describe(draft: StepDraft, text: string, document: Document.Parsed): Described {
  const nameRange = rangeOfNode(draft.nameNode, text);
  const settings = stepSettingsOf(draft.fields, document);
  return {
    path: draft.path,
    kind: draft.kind.kind,
    detail: draft.kind.detail,
    ...(nameRange === undefined ? {} : { nameRange }),
    ...(settings === undefined ? {} : { settings }),
    ...rangeOfStep(draft, text),
  };
}

/** Returns the range of a step, in a map of steps including its key. */
export function rangeOfStep({ written, pair, nameNode }: StepDraft, text: string): TextRange {
  const value = rangeOfNode(written, text);
  const key = pair === undefined ? undefined : rangeOfNode(nameNode, text);
  const from = key?.from ?? value?.from ?? 0;
  return { from, to: Math.max(value?.to ?? 0, key?.to ?? 0, from) };
}

type Fields = ReadonlyMap<string, Field>;

/**
 * Returns properties of a step other than its action, as far as they can be read; undefined if there are none. Default
 * values belong to the engine and are not included.
 */
function stepSettingsOf(fields: Fields, document: Document.Parsed): StepSettings | undefined {
  const read = (name: string): JsonValue => plainValue(document, fields.get(name)?.value ?? null);
  const settings: StepSettings = {
    ...conditionsOf(read('preconditions')),
    ...retryOf(mapOf(read('retryPolicy'))),
    ...repeatOf(mapOf(read('repeatPolicy'))),
    ...parallelOf(read('parallel')),
    ...nameValue('timeoutSec', amountOf(read('timeoutSec'))),
    ...nameValue('output', textOf(read('output'))),
    ...(continuesOnError(read('continueOn')) && { continuesOnError: true as const }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

type Map = Readonly<Record<string, JsonValue>>;

const mapOf = (value: JsonValue): Map | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;

/** Returns a number, or the string of an expression. */
const amountOf = (value: JsonValue | undefined): number | string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : undefined;

const textOf = (value: JsonValue): string | undefined => {
  const text = mapOf(value)?.['name'] ?? value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

const nameValue = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };

function conditionsOf(value: JsonValue): Pick<StepSettings, 'conditions'> {
  const count = Array.isArray(value) ? value.length : value === null || value === '' ? 0 : 1;
  return count === 0 ? {} : { conditions: count };
}

const retryOf = (policy: Map | undefined): Pick<StepSettings, 'retry'> =>
  policy
    ? {
        retry: {
          ...nameValue('limit', amountOf(policy['limit'])),
          ...nameValue('intervalSec', amountOf(policy['intervalSec'])),
        },
      }
    : {};

function repeatOf(policy: Map | undefined): Pick<StepSettings, 'repeat'> {
  if (!policy) return {};
  const mode = (['until', 'while'] as const).find((one) => one === policy['repeat']);
  return {
    repeat: {
      ...nameValue('mode', mode),
      ...nameValue('limit', amountOf(policy['limit'])),
      ...nameValue('intervalSec', amountOf(policy['intervalSec'])),
    },
  };
}

function parallelOf(value: JsonValue): Pick<StepSettings, 'parallel'> {
  if (value === null || value === '') return {};
  const policy = mapOf(value);
  const items = policy ? policy['items'] : value;
  return {
    parallel: {
      ...(Array.isArray(items) && { items: items.length }),
      ...nameValue('atOnce', amountOf(policy?.['maxConcurrent'])),
    },
  };
}

function continuesOnError(value: JsonValue): boolean {
  const policy = mapOf(value);
  if (!policy) return typeof value === 'string' && value !== '';
  return Object.values(policy).some((one) => one !== false && one !== null);
}

/**
 * Analyzes one version of a text: its workflows, errors and outline. Pure, for use in a worker; never throws. The base
 * configuration of the home is not available here, so handlers, a container or `ssh` that it would add are missing
 * from the workflows and from validation.
 * @param file name of the file, which is the default name of its workflow
 */
export function analyzeEditable(editable: EditableText, file: string): Analysis {
  const { text, documents } = editable;
  const { workflows, diagnostics } = loadSpec({ text, file, documents });
  return { text, workflows, diagnostics, outline: buildOutline(editable) };
}

/** Everything the views need for one version of the text. Computed in a worker; plain data. */
export interface Analysis {
  /** The analyzed text. */
  readonly text: string;
  /** Normalized as the engine runs them; empty if there are errors. */
  readonly workflows: readonly Workflow[];
  readonly diagnostics: readonly Diagnostic[];
  readonly outline: Outline;
}
