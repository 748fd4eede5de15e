import type { Diagnostic } from '../model/diagnostic.ts';
import type { Workflow } from '../model/workflow/workflow.ts';
import type { Outline } from './outline.ts';

/** Everything the views need for one version of the text. Computed in a worker; plain data. */
export interface Analysis {
  /** The analyzed text. */
  readonly text: string;
  /** Normalized as the engine runs them; empty if there are errors. */
  readonly workflows: readonly Workflow[];
  readonly diagnostics: readonly Diagnostic[];
  readonly outline: Outline;
}
