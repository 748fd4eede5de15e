import { analyzeEditable } from '../../../../core/edit/analyze.ts';
import { divideText, readChange } from '../../../../core/edit/step-change/read-change.ts';
import type { TextWithSteps } from '../../../../core/edit/step-change/find-changed-item.ts';
import { readEditable, type EditableText } from '../../../../core/edit/yaml/editable-text.ts';
import {
  diffAnalysis,
  knownAfter,
  nothingFound,
  patchAnalysis,
  patchOfStep,
  type AnalysisPatch,
} from './analysis-patch.ts';

/** Analyzes successive versions of one text and returns the differences. */
export class PatchMaker {
  readonly #file: string;
  /** The last fully parsed text; unchanged parts are not parsed again. */
  #newest: EditableText | undefined;
  /** State of the receiving side after the patches so far. */
  #known = nothingFound;
  /** The last analyzed text, if it has no errors. */
  #sound: TextWithSteps | undefined;

  /** @param file file name with extension */
  constructor(file: string) {
    this.#file = file;
  }

  make(text: string): AnalysisPatch {
    const now = divideText(text);
    return this.#lookAtStep(now) ?? this.#lookAtAll(text, now);
  }

  #lookAtStep(now: TextWithSteps | undefined): AnalysisPatch | undefined {
    const change = this.#sound && now && readChange(this.#sound, this.#known, now, this.#file);
    if (change === undefined) return undefined;
    const patch = patchOfStep(this.#known, change);
    this.#known = patchAnalysis(this.#known, patch);
    this.#sound = now;
    return patch;
  }

  #lookAtAll(text: string, now: TextWithSteps | undefined): AnalysisPatch {
    this.#newest = readEditable(text, this.#newest);
    const { text: _, ...analysis } = analyzeEditable(this.#newest, this.#file);
    const patch = diffAnalysis(this.#known, analysis);
    this.#known = knownAfter(this.#known, analysis);
    this.#sound = analysis.workflows.length > 0 ? now : undefined;
    return patch;
  }
}
