import type { Diagnostic } from '../model/diagnostic.ts';
import type { Workflow } from '../model/workflow/workflow.ts';
import { loadBaseConfig } from '../spec/base-config.ts';
import { loadSpec } from '../spec/load.ts';

/** A workflow text, and the text of the base configuration that it builds on. */
export interface TextToLoad {
  readonly text: string;
  /** How diagnostics name it, and the default name of its workflow. */
  readonly file?: string | undefined;
  readonly base?: { readonly text: string; readonly file?: string } | undefined;
}

/** As `LoadedSpec`, with what is wrong with the base configuration. */
export interface LoadedText {
  readonly workflows: Workflow[];
  readonly diagnostics: Diagnostic[];
  readonly baseDiagnostics: Diagnostic[];
  /** Whether the base configuration gives something: it is there, without errors and not empty. */
  readonly hasBase: boolean;
}

/** Loads a text on the calling thread, in time proportional to its length. */
export function loadText({ text, file, base }: TextToLoad): LoadedText {
  const { base: config, diagnostics: baseDiagnostics } =
    base === undefined ? { base: undefined, diagnostics: [] } : loadBaseConfig(base);
  return {
    ...loadSpec({ text, ...(file !== undefined && { file }), base: config }),
    baseDiagnostics,
    hasBase: config !== undefined,
  };
}
