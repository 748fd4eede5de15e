import { existsSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { findBaseConfig, type HomePaths } from '../config/home.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import { loadInThread } from './load-in-thread.ts';
import { BaseFile } from './base-file.ts';
import { loadWithBaseInThread, type SpecFile } from './read-spec.ts';
import { readText } from './read-text.ts';
import { WorkflowLibrary } from './workflow-library.ts';

/** Loaded workflows and their file, if they come from one. */
export interface WorkflowSource extends SpecFile {
  /** Absolute path. */
  readonly file?: string;
  /** The text is not what is in the file. */
  readonly isUnsaved?: boolean;
}

/** A base configuration other than that of the home; `file` is its name in messages. */
interface BaseConfigText {
  readonly text: string;
  readonly file?: string;
}

/**
 * All sources of workflows to run. They are merged with the base configuration; large ones are loaded in a worker
 * thread.
 */
export class WorkflowSources {
  readonly #library: WorkflowLibrary;
  readonly #base: BaseFile;

  constructor(library: WorkflowLibrary, base: BaseFile) {
    this.#library = library;
    this.#base = base;
  }

  /** Loads a file of the workflow folder. Rejects with `not_found`. */
  async get(fileName: string): Promise<WorkflowSource> {
    const { file, spec } = await this.#library.get(fileName);
    return { file, ...spec };
  }

  /** Loads a file of the workflow folder by its name or the name of its workflow. */
  async findByName(name: string): Promise<WorkflowSource | undefined> {
    const entry = await this.#library.findByName(name);
    return entry && { file: entry.file, ...entry.spec };
  }

  /** Loads any file by absolute path. Rejects with `not_found` or `home_unusable`. */
  async read(file: string): Promise<WorkflowSource> {
    const { text, problem } = readText(file);
    if (problem !== undefined) return { file, text, workflows: [], diagnostics: [problem] };
    return { file, ...(await loadWithBaseInThread({ text, file }, this.#base.read())) };
  }

  /** Loads a text of the editor as if it were a file of the workflow folder; the file may not exist. */
  async loadUnsaved(fileName: string, text: string, base?: BaseConfigText): Promise<WorkflowSource> {
    const file = this.#library.getFilePath(fileName);
    const spec = await this.#load({ text, file }, base);
    return { file, isUnsaved: !existsSync(file) || readText(file).text !== text, ...spec };
  }

  /** Loads a text without a file. */
  load(text: string, base?: BaseConfigText): Promise<WorkflowSource> {
    return this.#load({ text }, base);
  }

  async #load(
    source: { readonly text: string; readonly file?: string },
    baseConfig: BaseConfigText | undefined,
  ): Promise<SpecFile> {
    if (baseConfig === undefined) return loadWithBaseInThread(source, this.#base.read());
    const base = { file: 'base', ...baseConfig };
    const { workflows, diagnostics, baseDiagnostics, hasBase } = await loadInThread({ ...source, base });
    return {
      text: source.text,
      baseText: hasBase ? base.text : undefined,
      workflows,
      diagnostics: [...diagnostics, ...baseDiagnostics],
    };
  }
}

/** Opens the workflow files, and the services that use them. */
export function openFiles(
  { home, dags }: HomePaths,
  { paths }: EngineConfig,
  clock: Clock,
): { base: BaseFile; library: WorkflowLibrary; sources: WorkflowSources } {
  const base = new BaseFile(findBaseConfig(home, paths.baseConfig), clock);
  const library = new WorkflowLibrary(dags, clock, base);
  return { base, library, sources: new WorkflowSources(library, base) };
}
