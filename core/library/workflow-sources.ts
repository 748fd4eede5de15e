import { loadBaseConfig } from '../spec/base-config.ts';
import type { BaseFile, LoadedBase } from './base-file.ts';
import { loadOverBase, readSpecFile, type SpecFile } from './read-spec.ts';
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

/** A base configuration whose text is at hand. */
function loadBase({ text, file = 'base' }: GivenBase): LoadedBase {
  const { base, diagnostics } = loadBaseConfig({ text, file });
  return { text, config: base, diagnostics };
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
  loadInPlace(fileName: string, text: string, base?: GivenBase): WorkflowSource {
    const file = this.#library.fileOf(fileName);
    return { file, ...loadOverBase({ text, file }, this.#baseOr(base)) };
  }

  /** A text that came without a file. */
  load(text: string, base?: GivenBase): WorkflowSource {
    return loadOverBase({ text }, this.#baseOr(base));
  }

  #baseOr(given: GivenBase | undefined): LoadedBase {
    return given === undefined ? this.#base.read() : loadBase(given);
  }
}
