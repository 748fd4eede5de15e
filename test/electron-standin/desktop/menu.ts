import { EventEmitter } from 'node:events';
import type { MenuItem as ElectronMenuItem, MenuItemConstructorOptions, PopupOptions } from 'electron';
import { createEvent } from '../app/electron-event.ts';
import { BrowserWindow } from '../windows/browser-window.ts';
import { findRoleDefaults } from './menu-roles.ts';
import type { NativeImage } from './native-image.ts';

type ItemType = NonNullable<MenuItemConstructorOptions['type']>;

let lastCommandId = 0;

/** Electron's `MenuItem`. `click()` does what a user's click would do. */
export class MenuItem {
  readonly commandId = ++lastCommandId;
  id: string;
  type: ItemType;
  role: ElectronMenuItem['role'];
  label: string;
  sublabel: string;
  toolTip: string;
  accelerator: string | null;
  icon: NativeImage | string | undefined;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  registerAccelerator: boolean;
  submenu: Menu | undefined;
  declare menu: Menu;
  click: (event?: unknown, window?: BrowserWindow | null) => void;

  constructor(options: MenuItemConstructorOptions) {
    const defaults = findRoleDefaults(options.role);
    const submenu = options.submenu ?? defaults?.submenu;
    this.id = options.id ?? '';
    this.type = options.type ?? (submenu ? 'submenu' : 'normal');
    this.role = options.role as ElectronMenuItem['role'];
    this.label = options.label ?? defaults?.label ?? '';
    this.sublabel = options.sublabel ?? '';
    this.toolTip = options.toolTip ?? '';
    this.accelerator = options.accelerator ?? defaults?.accelerator ?? null;
    this.icon = options.icon as NativeImage | string | undefined;
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.registerAccelerator = options.registerAccelerator ?? true;
    this.submenu = isTemplate(submenu) ? Menu.buildFromTemplate(submenu) : (submenu as Menu | undefined);
    this.click = (event = createEvent({}), window = BrowserWindow.getFocusedWindow()) => {
      if (!this.enabled) return;
      this.#toggle();
      // In Electron, too, a role's own action takes precedence over a click handler.
      if (defaults?.run) defaults.run(window);
      else callClickHandler(options, this, window, event);
    };
  }

  #toggle(): void {
    if (this.type === 'checkbox') this.checked = !this.checked;
    if (this.type !== 'radio') return;
    for (const sibling of findRadioGroup(this)) sibling.checked = sibling === this;
  }
}

/** Electron's `Menu`: never rendered; its items are found by id and clicked. */
export class Menu extends EventEmitter {
  static #applicationMenu: Menu | null = null;

  static buildFromTemplate(template: readonly (MenuItemConstructorOptions | MenuItem)[]): Menu {
    const menu = new Menu();
    for (const each of template) menu.append(each instanceof MenuItem ? each : new MenuItem(each));
    return menu;
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.#applicationMenu = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#applicationMenu;
  }

  items: MenuItem[] = [];
  #onPopupClosed: (() => void) | undefined;

  append(item: MenuItem): void {
    this.insert(this.items.length, item);
  }

  insert(position: number, item: MenuItem): void {
    item.menu = this;
    this.items.splice(position, 0, item);
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const menuItem = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (menuItem) return menuItem;
    }
    return null;
  }

  /** Stays open until {@link closePopup}; the test clicks items meanwhile. */
  popup(options: PopupOptions = {}): void {
    this.#onPopupClosed = options.callback;
    this.emit('menu-will-show', createEvent({}));
  }

  closePopup(): void {
    this.emit('menu-will-close', createEvent({}));
    this.#onPopupClosed?.();
    this.#onPopupClosed = undefined;
  }
}

function isTemplate(submenu: unknown): submenu is MenuItemConstructorOptions[] {
  return Array.isArray(submenu);
}

function callClickHandler(
  { click }: MenuItemConstructorOptions,
  item: MenuItem,
  window: BrowserWindow | null,
  event: unknown,
): void {
  type Handler = NonNullable<MenuItemConstructorOptions['click']>;
  const [, base, keyboard] = [item, window ?? undefined, event] as unknown as Parameters<Handler>;
  click?.(item as unknown as ElectronMenuItem, base, keyboard);
}

/** The radio items of a group, up to the next item of another type. */
function findRadioGroup(item: MenuItem): MenuItem[] {
  const { items } = item.menu;
  const index = items.indexOf(item);
  const before = items.slice(0, index).findLastIndex((each) => each.type !== 'radio');
  const after = items.findIndex((each, position) => position > index && each.type !== 'radio');
  return items.slice(before + 1, after < 0 ? items.length : after);
}
