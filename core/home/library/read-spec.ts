import { setFlagsFromString } from 'node:v8';
import { isQuarantined, reportQuarantined, runActivity, quarantineReason } from '../../base/activity.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Workflow } from '../../model/workflow.ts';
import { loadSpec } from '../../spec/load.ts';
import { isLarge, loadInThread, type LoadPurpose } from './load-in-thread.ts';
import type { LoadedBase } from './base-file.ts';
import { readText } from './read-text.ts';

/** A workflow source: its text, and the result of loading it. */
export interface SpecFile {
  /** Absolute path; absent for text without a file. */
  readonly file?: string | undefined;
  readonly text: string;
  /** Text of the base configuration that was merged, if it has fields. */
  readonly baseText?: string;
  /** As in `LoadedSpec`; without the base configuration if that has errors. */
  readonly workflows: readonly Workflow[];
  /** Diagnostics of the file, then those of the base configuration; each names its file. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads and loads a workflow file. Errors in its content are in `diagnostics`.
 * @throws `not_found` or `home_unusable`
 */
export function readSpecFile(file: string, base?: LoadedBase): SpecFile {
  const { text, problem } = readText(file);
  if (problem !== undefined) return { file, text, workflows: [], diagnostics: [problem] };
  return loadWithBase({ text, file }, base);
}

/**
 * Does the same as {@link loadWithBase}, but loads a large text in a worker thread.
 * @throws `too_many_requests` as `loadInThread`
 */
export async function loadWithBaseInThread(
  source: { readonly text: string; readonly file?: string },
  base: LoadedBase = { diagnostics: [] },
  purpose?: LoadPurpose,
): Promise<SpecFile> {
  if (!isLarge(source.text)) return loadWithBase(source, base);
  const baseText = base.config === undefined ? undefined : base.text;
  const baseSource = baseText === undefined ? undefined : { text: baseText };
  const { workflows, diagnostics } = await loadInThread({ ...source, base: baseSource }, purpose);
  return { ...source, baseText, workflows, diagnostics: [...diagnostics, ...base.diagnostics] };
}

/**
 * Loads workflows and merges them with the base configuration.
 * @param source.file absolute path; absent for text without a file
 */
export function loadWithBase(
  source: { readonly text: string; readonly file?: string },
  base: LoadedBase = { diagnostics: [] },
): SpecFile {
  const { workflows, diagnostics } = limitHeapGrowth(source.text, () => checkSpec(source, base));
  return {
    ...source,
    baseText: base.config === undefined ? undefined : base.text,
    workflows,
    diagnostics: [...diagnostics, ...base.diagnostics],
  };
}

/** A text that has crashed two processes is not loaded again until it changes. */
function checkSpec(
  source: { readonly text: string; readonly file?: string },
  base: LoadedBase,
): Pick<SpecFile, 'workflows' | 'diagnostics'> {
  const { text, file } = source;
  const activity = { kind: 'check', file, text } as const;
  if (!isQuarantined(activity))
    return runActivity(activity, () => {
      failPoint('workflow.before_check');
      return loadSpec({ ...source, base: base.config });
    });
  reportQuarantined(activity);
  const message = `${quarantineReason(activity)} Change the file to check it again.`;
  const location = { file: file ?? '', line: 1, column: 1, path: '' };
  return { workflows: [], diagnostics: [{ severity: 'error', message, ...location }] };
}

/** Length below which the young generation of the heap hardly grows. */
const largeText = 256 * 1024;

/**
 * Loads a text without growing the young generation of the heap. Parsing a large YAML file creates tens of millions of
 * short-lived objects, for which V8 would allocate 128 MB and keep it. A file of 10,000 steps takes a third less
 * memory this way, in the same time (docs/benchmarks.md).
 */
function limitHeapGrowth<Result>(text: string, load: () => Result): Result {
  if (text.length < largeText) return load();
  setFlagsFromString('--semi-space-growth-factor=1');
  try {
    return load();
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2');
  }
}
