import type { JsonValue } from '../../../../core/base/json.ts';
import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import type { AuthoredPath, TextRange } from '../../../../core/edit/outline.ts';

/** What a form is about: steps and handlers, or with none of them the workflow itself. */
export type Target = readonly NodeRef[];

/** One value that is written for a step or a workflow. */
export interface FieldState {
  /** As the engine reads it. */
  readonly value: JsonValue;
  /** Its YAML, flush left. */
  readonly source: string;
  /** The key or item with its value. */
  readonly range: TextRange;
  /** Way from the top of the document, as the author spelled it. */
  readonly written: AuthoredPath;
  /** Where the value comes from when it is not written here. */
  readonly origin?: { readonly anchor: string; readonly line: number };
}

/** The values below a target, by {@link keyOfPath} of their way in canonical spelling. */
export type FieldStates = Readonly<Record<string, FieldState>>;

/** What is written for one target. */
export interface Inspected {
  /** Of the document in the file. */
  readonly document: number;
  readonly range: TextRange;
  readonly fields: FieldStates;
  /** Keys that the language does not know. */
  readonly unknown: readonly string[];
  /** Of a step or handler that is a text: its command. */
  readonly isText: boolean;
}

/** What is written for several targets of one state of the text; undefined for one that is not there. */
export type Inspection = readonly (Inspected | undefined)[];

/** Names a value within its target. */
export const keyOfPath = (path: AuthoredPath): string => JSON.stringify(path);
