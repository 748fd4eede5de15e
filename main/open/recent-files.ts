import path from 'node:path';
import type { App } from 'electron';
import type { DesktopSettings, DesktopSettingsChange } from '../../core/contract/desktop/settings.ts';

const mostKept = 10;

/** Where recent files are stored and shown. */
export interface RecentParts {
  readonly settings: {
    readonly current: DesktopSettings;
    change(change: DesktopSettingsChange): unknown;
  };
  /** The system's list of recent documents, which not every system has. */
  readonly app: Pick<App, 'addRecentDocument' | 'clearRecentDocuments'>;
  onChange(): void;
}

/** Recently opened files, newest first: in the menu, the palette and the system's list. */
export class RecentFiles {
  readonly #parts: RecentParts;

  constructor(parts: RecentParts) {
    this.#parts = parts;
  }

  get paths(): readonly string[] {
    return this.#parts.settings.current.files.recent;
  }

  /** Includes the directory for files with the same name. */
  list(): { path: string; name: string }[] {
    const names = this.paths.map((file) => path.basename(file));
    return this.paths.map((file, index) => ({
      path: file,
      name:
        names.filter((name) => name === names[index]).length > 1
          ? path.join(path.basename(path.dirname(file)), names[index]!)
          : names[index]!,
    }));
  }

  add(file: string): void {
    const recent = [file, ...this.paths.filter((other) => other !== file)].slice(0, mostKept);
    this.#keep(recent);
    this.#parts.app.addRecentDocument(file);
  }

  clear(): void {
    this.#keep([]);
    this.#parts.app.clearRecentDocuments();
  }

  #keep(recent: string[]): void {
    this.#parts.settings.change({ files: { recent } });
    this.#parts.onChange();
  }
}
