import { analyzeEditable } from '../../../core/edit/build-outline.ts';
import { locateSteps, readChange, type TextWithSteps } from '../../../core/edit/step-change.ts';
import { readEditable, type EditableText } from '../../../core/edit/yaml/editable-text.ts';
import {
  diffAnalysis,
  mergeAnalysis,
  emptyAnalysis,
  patchAnalysis,
  createStepPatch,
  type AnalysisPatch,
} from './analysis-patch.ts';

/** Analyzes successive versions of one text and returns the differences. */
export class AnalysisPatcher {
  readonly #file: string;
  /** The last fully parsed text; unchanged parts are not parsed again. */
  #newest: EditableText | undefined;
  /** State of the receiving side after the patches so far. */
  #known = emptyAnalysis;
  /** The last analyzed text, if it has no errors. */
  #lastValid: TextWithSteps | undefined;

  /** @param file file name with extension */
  constructor(file: string) {
    this.#file = file;
  }

  make(text: string): AnalysisPatch {
    const now = locateSteps(text);
    return this.#patchStep(now) ?? this.#patchAll(text, now);
  }

  #patchStep(now: TextWithSteps | undefined): AnalysisPatch | undefined {
    const change = this.#lastValid && now && readChange(this.#lastValid, this.#known, now, this.#file);
    if (change === undefined) return undefined;
    const patch = createStepPatch(this.#known, change);
    this.#known = patchAnalysis(this.#known, patch);
    this.#lastValid = now;
    return patch;
  }

  #patchAll(text: string, now: TextWithSteps | undefined): AnalysisPatch {
    this.#newest = readEditable(text, this.#newest);
    const { text: _, ...analysis } = analyzeEditable(this.#newest, this.#file);
    const patch = diffAnalysis(this.#known, analysis);
    this.#known = mergeAnalysis(this.#known, analysis);
    this.#lastValid = analysis.workflows.length > 0 ? now : undefined;
    return patch;
  }
}
