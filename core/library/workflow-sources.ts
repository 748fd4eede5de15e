import { loadInThread } from '../loading/load-in-thread.ts';
import type { BaseFile } from './base-file.ts';
import { loadOverBaseInThread, type SpecFile } from './read-spec.ts';
import { readText } from './read-text.ts';
import type { WorkflowLibrary } from './workflow-library.ts';

/** Loaded workflows, and the file they came from if they came from one. */
export interface WorkflowSource extends SpecFile {
  /** Absolute. */
  readonly file?: string;
}

/** Another base configuration than that of the home; `file` is what messages call it. */
interface GivenBase {
  readonly text: string;
  readonly file?: string;
}

/** Everywhere workflows to run come from; all are loaded over the base configuration, large ones in a thread. */
export class WorkflowSources {
  readonly #library: WorkflowLibrary;
  readonly #base: BaseFile;

  constructor(library: WorkflowLibrary, base: BaseFile) {
    this.#library = library;
    this.#base = base;
  }

  /** A file of the workflow folder. Rejects with `not_found`. */
  async get(fileName: string): Promise<WorkflowSource> {
    const { file, spec } = await this.#library.get(fileName);
    return { file, ...spec };
  }

  /** A file of the workflow folder by its name or that of its workflow. */
  async findByName(name: string): Promise<WorkflowSource | undefined> {
    const entry = await this.#library.findByName(name);
    return entry && { file: entry.file, ...entry.spec };
  }

  /** Any file, by absolute path. Rejects with `not_found` or `home_unusable`. */
  async read(file: string): Promise<WorkflowSource> {
    const { text, fault } = readText(file);
    if (fault !== undefined) return { file, text, workflows: [], diagnostics: [fault] };
    return { file, ...(await loadOverBaseInThread({ text, file }, this.#base.read())) };
  }

  /** A text that has not been saved as a file of the workflow folder, as if it were; the file may be missing. */
  async loadInPlace(fileName: string, text: string, base?: GivenBase): Promise<WorkflowSource> {
    const file = this.#library.fileOf(fileName);
    return { file, ...(await this.#load({ text, file }, base)) };
  }

  /** A text that came without a file. */
  load(text: string, base?: GivenBase): Promise<WorkflowSource> {
    return this.#load({ text }, base);
  }

  async #load(
    source: { readonly text: string; readonly file?: string },
    given: GivenBase | undefined,
  ): Promise<SpecFile> {
    if (given === undefined) return loadOverBaseInThread(source, this.#base.read());
    const base = { file: 'base', ...given };
    const { workflows, diagnostics, baseDiagnostics, hasBase } = await loadInThread({ ...source, base });
    return {
      text: source.text,
      baseText: hasBase ? base.text : undefined,
      workflows,
      diagnostics: [...diagnostics, ...baseDiagnostics],
    };
  }
}
