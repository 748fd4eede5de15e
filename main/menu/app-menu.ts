import type { MenuItemConstructorOptions } from 'electron';
import { applicationMenu, type MenuActions, type MenuFile } from './application-menu.ts';

/** What the menu needs of the app. */
export interface AppMenuParts {
  /** Puts it in place of the one before; items cannot be added to a menu that is shown. */
  set(template: MenuItemConstructorOptions[]): void;
  recent(): readonly MenuFile[];
  readonly actions: MenuActions;
  readonly platform: NodeJS.Platform;
}

/** The application menu, made anew when the files change that were opened before. */
export class AppMenu {
  readonly #parts: AppMenuParts;
  #shown: string | undefined;

  constructor(parts: AppMenuParts) {
    this.#parts = parts;
  }

  refresh(): void {
    const recent = this.#parts.recent();
    const wanted = JSON.stringify(recent);
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    const { set, actions, platform } = this.#parts;
    set(applicationMenu(actions, recent, platform));
  }
}
