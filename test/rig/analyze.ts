import { type Analysis, analyzeEditable } from '../../core/edit/build-outline.ts';
import { readEditable } from '../../core/edit/yaml/editable-text.ts';

/** Analyzes a text on its own, not as a later state of another one. */
export const analyze = (text: string, file: string): Analysis => analyzeEditable(readEditable(text), file);
