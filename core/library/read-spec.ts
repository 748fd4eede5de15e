import { isSetAside, reportSetAside, runActivity, setAsideReason } from '../base/activity.ts';
import { failPoint } from '../base/fail-point.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Workflow } from '../model/workflow/workflow.ts';
import { loadSpec } from '../spec/load.ts';
import { isLarge, loadInThread, type LoadPurpose } from '../loading/load-in-thread.ts';
import type { LoadedBase } from './base-file.ts';
import { loadSparingly } from './load-sparingly.ts';
import { readText } from './read-text.ts';

/** A workflow file: its text as far as it is text, and what the loader made of it. */
export interface SpecFile {
  readonly text: string;
  /** Text of the base configuration that the workflows were put over, when there is one that gives something. */
  readonly baseText?: string;
  /** As in `LoadedSpec`; without the base configuration while that has errors. */
  readonly workflows: readonly Workflow[];
  /** Those of the file, then those of the base configuration; each names its file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads and loads a workflow file. Throws `not_found` or `home_unusable`; what is wrong inside is in `diagnostics`. */
export function readSpecFile(file: string, base?: LoadedBase): SpecFile {
  const { text, fault } = readText(file);
  if (fault !== undefined) return { text, workflows: [], diagnostics: [fault] };
  return loadOverBase({ text, file }, base);
}

/**
 * As {@link loadOverBase}, a large text in a thread.
 * @throws `too_many_requests` as `loadInThread`
 */
export async function loadOverBaseInThread(
  source: { readonly text: string; readonly file?: string },
  base: LoadedBase = { diagnostics: [] },
  purpose?: LoadPurpose,
): Promise<SpecFile> {
  if (!isLarge(source.text)) return loadOverBase(source, base);
  const baseText = base.config === undefined ? undefined : base.text;
  const given = baseText === undefined ? undefined : { text: baseText };
  const { workflows, diagnostics } = await loadInThread({ ...source, base: given }, purpose);
  return { text: source.text, baseText, workflows, diagnostics: [...diagnostics, ...base.diagnostics] };
}

/**
 * Loads workflows over the base configuration.
 * @param source.file absolute; absent for text that came without a file
 */
export function loadOverBase(
  source: { readonly text: string; readonly file?: string },
  base: LoadedBase = { diagnostics: [] },
): SpecFile {
  const { workflows, diagnostics } = loadSparingly(source.text, () => checkSpec(source, base));
  return {
    text: source.text,
    baseText: base.config === undefined ? undefined : base.text,
    workflows,
    diagnostics: [...diagnostics, ...base.diagnostics],
  };
}

/** Text that has killed two processes is not checked again until it changes. */
function checkSpec(
  source: { readonly text: string; readonly file?: string },
  base: LoadedBase,
): Pick<SpecFile, 'workflows' | 'diagnostics'> {
  const { text, file } = source;
  const activity = { kind: 'check', file, text } as const;
  if (!isSetAside(activity))
    return runActivity(activity, () => {
      failPoint('workflow.before_check');
      return loadSpec({ ...source, base: base.config });
    });
  reportSetAside(activity);
  const message = `${setAsideReason(activity)} Change the file to check it again.`;
  const place = { file: file ?? '', line: 1, column: 1, path: '' };
  return { workflows: [], diagnostics: [{ severity: 'error', message, ...place }] };
}
