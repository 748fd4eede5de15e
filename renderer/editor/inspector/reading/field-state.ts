import type { JsonValue } from '../../../../core/base/json.ts';
import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import type { AuthoredPath, TextRange } from '../../../../core/edit/outline.ts';

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

/** The values below a target, by {@link keyOfPath} of their canonical path. */
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

/** Returns the key of a value within its target. */
export const keyOfPath = (path: AuthoredPath): string => JSON.stringify(path);
