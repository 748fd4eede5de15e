import type { DryFolderView, DryNamedValueView, DryValueView } from '../../contract/runs/dry.ts';
import type { Masker } from '../../secrets/masker.ts';
import { isFolderThere } from '../values/working-dir.ts';
import { hasUnknown, listUnknown, withoutMarks } from './unknown-text.ts';

/** Makes what clients see of resolved texts: without marks, without secrets. */
export class MaskedViews {
  readonly #masker: Masker;

  constructor(masker: Masker) {
    this.#masker = masker;
  }

  /** A text as it is, secrets hidden. */
  plain(text: string): string {
    return this.#masker.mask(withoutMarks(text));
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

  /** Variables in their order. */
  list(values: Readonly<Record<string, string>>): DryNamedValueView[] {
    return Object.entries(values).map(([name, text]) => this.named(name, text));
  }

  /**
   * A folder, and whether it is there.
   * @param base what it counts from, left out where the rest is not known yet and may be an absolute path
   */
  folder(folder: string, base = ''): DryFolderView {
    if (!hasUnknown(folder)) return { ...this.value(folder), ...lookAt(folder) };
    const rest = folder.startsWith(`${base}/`) ? folder.slice(base.length + 1) : folder;
    const beginsUnknown = hasUnknown(rest.slice(0, 1));
    return this.value(beginsUnknown ? rest : folder);
  }
}

/** Nothing of one that is missing and cannot be made, which is a finding. */
function lookAt(folder: string): Pick<DryFolderView, 'exists'> {
  try {
    return { exists: isFolderThere(folder) };
  } catch {
    return {};
  }
}
