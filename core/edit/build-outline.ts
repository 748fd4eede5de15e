import { isMap, isScalar, isSeq, type Document } from 'yaml';
import type { JsonValue } from '../base/json.ts';
import { loadBaseConfig } from '../spec/base-config.ts';
import { loadSpec } from '../spec/load.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Outline, OutlineDocument, OutlineStep, TextRange, StepSettings } from './outline.ts';
import type { EditableText } from './yaml/editable-text.ts';
import { getNodeText, type Field } from './step-fields.ts';
import { readSteps, type DocumentSteps, getNodeRange, type StepDraft } from './read-steps.ts';
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
  const name = getNodeText(steps.fields.get('name')?.value);
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
    ...(getNodeRange(steps.document.contents, text) ?? { from: 0, to: 0 }),
  };
}

function outlineStep(draft: StepDraft, position: number, steps: DocumentSteps, text: string): OutlineStep {
  return {
    ...readOutline(draft, text, steps.document),
    section: 'step',
    name: steps.names[position]!,
    isNamed: draft.name !== '',
    ...getId(draft),
    depends: steps.waitsFor[position]!.map((index) => steps.names[index]!),
    ...(draft.isGrouped ? { group: draft.item } : {}),
  };
}

function outlineHandler(draft: StepDraft, text: string, document: Document.Parsed): OutlineStep {
  return {
    ...readOutline(draft, text, document),
    section: 'handler',
    name: draft.name,
    isNamed: true,
    ...getId(draft),
    depends: [],
  };
}

function getId({ fields }: StepDraft): Pick<OutlineStep, 'id'> {
  const id = getNodeText(fields.get('id')?.value);
  return id === undefined ? {} : { id };
}

type Described = Pick<OutlineStep, 'path' | 'kind' | 'detail' | 'nameRange' | 'settings' | 'from' | 'to'>;

function readOutline(draft: StepDraft, text: string, document: Document.Parsed): Described {
  const nameRange = getNodeRange(draft.nameNode, text);
  const settings = getStepSettings(draft.fields, document);
  return {
    path: draft.path,
    kind: draft.kind.kind,
    detail: draft.kind.detail,
    ...(nameRange === undefined ? {} : { nameRange }),
    ...(settings === undefined ? {} : { settings }),
    ...getStepRange(draft, text),
  };
}

/** Returns the range of a step, in a map of steps including its key. */
export function getStepRange({ written, pair, nameNode }: StepDraft, text: string): TextRange {
  const value = getNodeRange(written, text);
  const key = pair === undefined ? undefined : getNodeRange(nameNode, text);
  const from = key?.from ?? value?.from ?? 0;
  return { from, to: Math.max(value?.to ?? 0, key?.to ?? 0, from) };
}

type Fields = ReadonlyMap<string, Field>;

/**
 * Returns properties of a step other than its action, as far as they can be read; undefined if there are none. Default
 * values belong to the engine and are not included.
 */
function getStepSettings(fields: Fields, document: Document.Parsed): StepSettings | undefined {
  const read = (name: string): JsonValue => plainValue(document, fields.get(name)?.value ?? null);
  const settings: StepSettings = {
    ...getConditions(read('preconditions')),
    ...getRetry(toMap(read('retryPolicy'))),
    ...getRepeat(toMap(read('repeatPolicy'))),
    ...getParallel(read('parallel')),
    ...nameValue('timeoutSec', toAmount(read('timeoutSec'))),
    ...nameValue('output', getText(read('output'))),
    ...(continuesOnError(read('continueOn')) && { continuesOnError: true as const }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

type Map = Readonly<Record<string, JsonValue>>;

const toMap = (value: JsonValue): Map | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;

/** Returns a number, or the string of an expression. */
const toAmount = (value: JsonValue | undefined): number | string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : undefined;

const getText = (value: JsonValue): string | undefined => {
  const text = toMap(value)?.['name'] ?? value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

const nameValue = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };

function getConditions(value: JsonValue): Pick<StepSettings, 'conditions'> {
  const count = Array.isArray(value) ? value.length : value === null || value === '' ? 0 : 1;
  return count === 0 ? {} : { conditions: count };
}

const getRetry = (policy: Map | undefined): Pick<StepSettings, 'retry'> =>
  policy
    ? {
        retry: {
          ...nameValue('limit', toAmount(policy['limit'])),
          ...nameValue('intervalSec', toAmount(policy['intervalSec'])),
        },
      }
    : {};

function getRepeat(policy: Map | undefined): Pick<StepSettings, 'repeat'> {
  if (!policy) return {};
  const mode = (['until', 'while'] as const).find((one) => one === policy['repeat']);
  return {
    repeat: {
      ...nameValue('mode', mode),
      ...nameValue('limit', toAmount(policy['limit'])),
      ...nameValue('intervalSec', toAmount(policy['intervalSec'])),
    },
  };
}

function getParallel(value: JsonValue): Pick<StepSettings, 'parallel'> {
  if (value === null || value === '') return {};
  const policy = toMap(value);
  const items = policy ? policy['items'] : value;
  return {
    parallel: {
      ...(Array.isArray(items) && { items: items.length }),
      ...nameValue('atOnce', toAmount(policy?.['maxConcurrent'])),
    },
  };
}

function continuesOnError(value: JsonValue): boolean {
  const policy = toMap(value);
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
  const { text, composed: documents } = editable;
  const { workflows, diagnostics } = loadSpec({ text, file, documents });
  return { text, workflows, diagnostics, outline: buildOutline(editable) };
}

/** Does the same for a base configuration, which has no workflows. */
export function analyzeBase(editable: EditableText, file: string): Analysis {
  const { text, composed: documents } = editable;
  const { diagnostics } = loadBaseConfig({ text, file, documents });
  return { text, workflows: [], diagnostics, outline: buildOutline(editable) };
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
