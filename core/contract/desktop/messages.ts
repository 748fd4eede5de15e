import type { DesktopSettings } from './settings.ts';

/** A message that the window shows if the desktop environment cannot. */
export interface WindowNotice {
  readonly tone: 'info' | 'error';
  readonly text: string;
  /** Address of the page it is about, such as `#/runs/etl/1`. */
  readonly address?: string;
}

/** Messages that the desktop app sends to the window. */
export type DesktopMessage =
  | { readonly kind: 'notice'; readonly notice: WindowNotice }
  /** The user wants to search for a workflow to start. */
  | { readonly kind: 'open_palette' }
  /** The user opened a file outside the home, to view and possibly import it. */
  | { readonly kind: 'file'; readonly fileName: string; readonly text: string }
  | { readonly kind: 'recent_changed' }
  | { readonly kind: 'update_changed' }
  | { readonly kind: 'terminal_output'; readonly id: number; readonly data: string }
  | { readonly kind: 'terminal_ended'; readonly id: number; readonly exitCode: number }
  | { readonly kind: 'settings_changed'; readonly settings: DesktopSettings };
