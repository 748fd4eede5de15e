import type { Diagnostic } from '../model/diagnostic.ts';
import type { Workflow } from '../model/workflow/workflow.ts';
import type { Outline } from './outline.ts';

/** Everything the views know of one state of the text. Made in a worker; plain data. */
export interface Analysis {
  /** The text that was looked at. */
  readonly text: string;
  /** As the engine would run them; empty when there are errors. */
  readonly workflows: readonly Workflow[];
  readonly diagnostics: readonly Diagnostic[];
  readonly outline: Outline;
}
