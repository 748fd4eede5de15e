import type { BaseFile } from './base-file.ts';
import { loadOverBase, readSpecFile, type SpecFile } from './read-spec.ts';
import type { WorkflowLibrary } from './workflow-library.ts';

/** Loaded workflows, and the file they came from if they came from one. */
export interface WorkflowSource extends SpecFile {
  /** Absolute. */
  readonly file?: string;
}

/** Everywhere workflows to run come from; all are loaded over the base configuration. */
export class WorkflowSources {
  readonly #library: WorkflowLibrary;
  readonly #base: BaseFile;

  constructor(library: WorkflowLibrary, base: BaseFile) {
    this.#library = library;
    this.#base = base;
  }

  /** A file of the workflow folder. Throws `not_found`. */
  get(fileName: string): WorkflowSource {
    const { file, spec } = this.#library.get(fileName);
    return { file, ...spec };
  }

  /** A file of the workflow folder by its name or that of its workflow. */
  findByName(name: string): WorkflowSource | undefined {
    const entry = this.#library.findByName(name);
    return entry && { file: entry.file, ...entry.spec };
  }

  /** Any file, by absolute path. Throws `not_found` or `home_unusable`. */
  read(file: string): WorkflowSource {
    return { file, ...readSpecFile(file, this.#base.read()) };
  }

  /** A text that has not been saved as a file of the workflow folder, as if it were; the file may be missing. */
  loadInPlace(fileName: string, text: string): WorkflowSource {
    const file = this.#library.fileOf(fileName);
    return { file, ...loadOverBase({ text, file }, this.#base.read()) };
  }

  /**
   * A text that came without a file.
   * @param base absolute path of another base configuration file than that of the home
   */
  load(text: string, base?: string): WorkflowSource {
    return loadOverBase({ text }, base === undefined ? this.#base.read() : this.#base.readOther(base));
  }
}
