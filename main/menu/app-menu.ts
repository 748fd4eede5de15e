import type { MenuItemConstructorOptions } from 'electron';
import { applicationMenu, type MenuActions, type MenuFile } from './application-menu.ts';

/** Dependencies of the application menu. */
export interface AppMenuDeps {
  /** Replaces the previous menu; items cannot be added to an existing one. */
  set(template: MenuItemConstructorOptions[]): void;
  recent(): readonly MenuFile[];
  readonly actions: MenuActions;
  readonly platform: NodeJS.Platform;
}

/** The application menu, rebuilt when the recent files change. */
export class AppMenu {
  readonly #deps: AppMenuDeps;
  #shown: string | undefined;

  constructor(deps: AppMenuDeps) {
    this.#deps = deps;
  }

  refresh(): void {
    const recent = this.#deps.recent();
    const wanted = JSON.stringify(recent);
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    const { set, actions, platform } = this.#deps;
    set(applicationMenu(actions, recent, platform));
  }
}
