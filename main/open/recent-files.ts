import path from 'node:path';
import type { App } from 'electron';
import type { DesktopSettings, DesktopSettingsChange } from '../../core/contract/desktop/settings.ts';

const maxCached = 10;

/** Where recent files are stored and shown. */
export interface RecentDeps {
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
  readonly #deps: RecentDeps;

  constructor(deps: RecentDeps) {
    this.#deps = deps;
  }

  get paths(): readonly string[] {
    return this.#deps.settings.current.files.recent;
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
    const recent = [file, ...this.paths.filter((other) => other !== file)].slice(0, maxCached);
    this.#keep(recent);
    this.#deps.app.addRecentDocument(file);
  }

  clear(): void {
    this.#keep([]);
    this.#deps.app.clearRecentDocuments();
  }

  #keep(recent: string[]): void {
    this.#deps.settings.change({ files: { recent } });
    this.#deps.onChange();
  }
}
