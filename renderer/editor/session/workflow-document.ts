import { analyzeBase, analyzeEditable } from '../../../core/edit/build-outline.ts';
import { canApply, computeEdit, type EditRequest } from '../../../core/edit/edit-request.ts';
import { inspect, type Inspection } from '../../../core/edit/inspect.ts';
import { readChange } from '../../../core/edit/step-change.ts';
import { copySteps, type CopiedSteps } from '../../../core/edit/steps/copy-steps.ts';
import type { EditOffer, EditRejection, EditResult, NodeRef } from '../../../core/edit/text-change.ts';
import { readEditable, type EditableText } from '../../../core/edit/yaml/editable-text.ts';
import {
  createStepPatch,
  diffAnalysis,
  emptyAnalysis,
  mergeAnalysis,
  patchAnalysis,
  type AnalysisPatch,
} from './analysis-patch.ts';

/** One version of the text of a file. */
export interface TextVersion {
  /** Counts the versions. */
  readonly version: number;
  readonly text: string;
  /** File name with extension, which names the workflow if the text does not. */
  readonly file: string;
  /** A base configuration has the fields of a workflow without name and steps. */
  readonly kind: 'workflow' | 'base';
}

/** What views ask about a version. `document` is the document index of a further workflow in the file. */
export type DocumentQuery =
  /** The difference from the previous analysis. */
  | { readonly kind: 'analysis' }
  /** The written values of steps and handlers; undefined in `refs` represents the workflow itself. */
  | {
      readonly kind: 'inspection';
      readonly refs: readonly (NodeRef | undefined)[];
      readonly document?: number | undefined;
    }
  | { readonly kind: 'edit'; readonly request: EditRequest }
  /** The steps as YAML. */
  | { readonly kind: 'copy'; readonly refs: readonly NodeRef[] }
  /** The offers that would help, at most `max`. */
  | {
      readonly kind: 'offers';
      readonly offers: readonly EditOffer[];
      readonly max: number;
      readonly document?: number | undefined;
    };

export interface DocumentAnswers {
  readonly analysis: AnalysisPatch;
  readonly inspection: Inspection;
  readonly edit: EditResult;
  readonly copy: CopiedSteps | EditRejection;
  readonly offers: readonly EditOffer[];
}

export type DocumentAnswer = DocumentAnswers[keyof DocumentAnswers];

/** A query about a version, which is the latest one or follows it. */
export type DocumentQuestion = TextVersion & { readonly query: DocumentQuery };

/** The only owner of the parsed text in the editor: each version is parsed once, and only where it differs. */
export class WorkflowDocument {
  #editable: EditableText | undefined;
  /** State of the receiving side after the patches so far. */
  #known = emptyAnalysis;
  /** The last analyzed version without errors. */
  #lastValid: EditableText | undefined;

  answer({ query, ...version }: DocumentQuestion): DocumentAnswer {
    this.#editable = readEditable(version.text, this.#editable);
    const editable = this.#editable;
    switch (query.kind) {
      case 'analysis':
        return this.#analyze(editable, version);
      case 'inspection':
        return inspect(editable, query.refs, query.document);
      case 'edit':
        return computeEdit(editable, query.request);
      case 'copy':
        return copySteps(editable, query.refs);
      case 'offers':
        return listUsefulOffers(editable, query);
    }
  }

  #analyze(editable: EditableText, { file, kind }: TextVersion): AnalysisPatch {
    const change = this.#lastValid && readChange(this.#lastValid, this.#known, editable, file);
    if (change !== undefined) {
      const patch = createStepPatch(this.#known, change);
      this.#known = patchAnalysis(this.#known, patch);
      this.#lastValid = editable;
      return patch;
    }
    const analyze = kind === 'base' ? analyzeBase : analyzeEditable;
    const { text: _, ...analysis } = analyze(editable, file);
    const patch = diffAnalysis(this.#known, analysis);
    this.#known = mergeAnalysis(this.#known, analysis);
    this.#lastValid = analysis.workflows.length > 0 ? editable : undefined;
    return patch;
  }
}

function listUsefulOffers(
  editable: EditableText,
  { offers, max, document }: Extract<DocumentQuery, { kind: 'offers' }>,
): readonly EditOffer[] {
  const useful: EditOffer[] = [];
  for (const offer of offers) {
    if (useful.length === max) break;
    if (canApply(editable, offer, document)) useful.push(offer);
  }
  return useful;
}
