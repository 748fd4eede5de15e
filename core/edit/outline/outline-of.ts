import { isMap, isScalar, isSeq, type Document } from 'yaml';
import type { Outline, OutlineDocument, OutlineStep, TextRange } from '../outline.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import { textOfNode } from './fields.ts';
import { readSteps, type DocumentSteps } from './read-steps.ts';
import { rangeOfNode, type StepDraft } from './step-drafts.ts';
import { stepSettingsOf } from './step-settings.ts';

/** Returns the outline of a text; empty if it is not valid YAML. Never throws. */
export function outlineOf({ text, documents }: Pick<EditableText, 'text' | 'documents'>): Outline {
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

type Described = Pick<OutlineStep, 'path' | 'kind' | 'detail' | 'nameRange' | 'facts' | 'from' | 'to'>;

function describe(draft: StepDraft, text: string, document: Document.Parsed): Described {
  const nameRange = rangeOfNode(draft.nameNode, text);
  const settings = stepSettingsOf(draft.fields, document);
  return {
    path: draft.path,
    kind: draft.kind.kind,
    detail: draft.kind.detail,
    ...(nameRange === undefined ? {} : { nameRange }),
    ...(settings === undefined ? {} : { facts: settings }),
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
