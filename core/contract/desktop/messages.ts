import type { DesktopSettings } from './settings.ts';

/** Something for a person that the window shows, because the desktop cannot. */
export interface WindowNotice {
  readonly tone: 'info' | 'error';
  readonly text: string;
  /** Address of the page it is about, such as `#/runs/etl/1`. */
  readonly address?: string;
}

/** What the desktop app tells the window without being asked. */
export type DesktopMessage =
  | { readonly kind: 'notice'; readonly notice: WindowNotice }
  /** The person wants to look for a workflow to start. */
  | { readonly kind: 'open_palette' }
  /** A file from outside the home, which the person opened: to be looked at, and taken over if they want. */
  | { readonly kind: 'file'; readonly fileName: string; readonly text: string }
  | { readonly kind: 'recent_changed' }
  | { readonly kind: 'update_changed' }
  | { readonly kind: 'terminal_output'; readonly id: number; readonly data: string }
  | { readonly kind: 'terminal_ended'; readonly id: number; readonly exitCode: number }
  | { readonly kind: 'settings_changed'; readonly settings: DesktopSettings };
