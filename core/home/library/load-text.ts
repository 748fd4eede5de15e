// A file of its own: it runs in the engine and in threads.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Workflow } from '../../model/workflow.ts';
import { loadBaseConfig } from '../../spec/base-config.ts';
import { loadSpec } from '../../spec/load.ts';

/** A workflow source with the source of its base configuration. */
export interface TextToLoad {
  readonly text: string;
  /** File name for diagnostics, and default workflow name. */
  readonly file?: string | undefined;
  readonly base?: { readonly text: string; readonly file?: string } | undefined;
}

/** Like `LoadedSpec`, with the diagnostics of the base configuration. */
export interface LoadedText {
  readonly workflows: Workflow[];
  readonly diagnostics: Diagnostic[];
  readonly baseDiagnostics: Diagnostic[];
  /** Whether the base configuration exists, is valid and not empty. */
  readonly hasBase: boolean;
}

/** Loads a source on the calling thread, in linear time. */
export function loadText({ text, file, base }: TextToLoad): LoadedText {
  const { base: config, diagnostics: baseDiagnostics } =
    base === undefined ? { base: undefined, diagnostics: [] } : loadBaseConfig(base);
  return {
    ...loadSpec({ text, ...(file !== undefined && { file }), base: config }),
    baseDiagnostics,
    hasBase: config !== undefined,
  };
}
