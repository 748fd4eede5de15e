import type { DryFolderView, DryNamedValueView, DryValueView } from '../../contract/runs/dry.ts';
import type { Masker } from '../../secrets/masker.ts';
import { directoryExists } from '../values/working-dir.ts';
import { hasUnknown, listUnknown, stripUnknownMarks } from './unknown-text.ts';

/** Creates the views of resolved values for clients: without marks and secrets. */
export class MaskedViews {
  readonly #masker: Masker;

  constructor(masker: Masker) {
    this.#masker = masker;
  }

  /** Returns a string with its secrets masked. */
  plain(text: string): string {
    return this.#masker.mask(stripUnknownMarks(text));
  }

  value(text: string): DryValueView {
    const value = this.plain(text);
    return hasUnknown(text)
      ? { value, unresolved: listUnknown(text).map((part) => this.plain(part)) }
      : { value };
  }

  named(name: string, text: string): DryNamedValueView {
    return { name, ...this.value(text) };
  }

  /** Returns the variables in their order. */
  list(values: Readonly<Record<string, string>>): DryNamedValueView[] {
    return Object.entries(values).map(([name, text]) => this.named(name, text));
  }

  /**
   * Returns a directory, and whether it exists.
   * @param base the base directory; left out when the rest is not known yet and may be an absolute path
   */
  folder(folder: string, base = ''): DryFolderView {
    if (!hasUnknown(folder)) return { ...this.value(folder), ...lookAt(folder) };
    const relativePath = folder.startsWith(`${base}/`) ? folder.slice(base.length + 1) : folder;
    const beginsUnknown = hasUnknown(relativePath.slice(0, 1));
    return this.value(beginsUnknown ? relativePath : folder);
  }
}

/** Returns nothing for a directory that is missing and cannot be created, which is reported as a finding. */
function lookAt(folder: string): Pick<DryFolderView, 'exists'> {
  try {
    return { exists: directoryExists(folder) };
  } catch {
    return {};
  }
}
