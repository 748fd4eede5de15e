import type { Rectangle } from 'electron';
import { PANEL_HEIGHT, PRIMARY_DISPLAY_SIZE } from '../desktop/display-size.ts';
import type { Page } from './page.ts';

export type WindowState = 'normal' | 'minimized' | 'maximized' | 'full-screen';

/** Names of the Electron events for the change. */
type PlacementEvent =
  | 'resize'
  | 'move'
  | 'minimize'
  | 'maximize'
  | 'unmaximize'
  | 'restore'
  | 'enter-full-screen'
  | 'leave-full-screen';

export interface PlacementOptions {
  readonly page: Page;
  readonly bounds: Rectangle;
  readonly minimumSize: readonly [width: number, height: number];
  readonly onChange: (event: PlacementEvent) => void;
}

const WORK_AREA: Rectangle = {
  x: 0,
  y: 0,
  width: PRIMARY_DISPLAY_SIZE.width,
  height: PRIMARY_DISPLAY_SIZE.height - PANEL_HEIGHT,
};

const WHOLE_DISPLAY: Rectangle = { x: 0, y: 0, ...PRIMARY_DISPLAY_SIZE };

/** Position and size of a window: simulated, since there is no window manager, and applied to the page. */
export class WindowPlacement {
  readonly #page: Page;
  readonly #onChange: (event: PlacementEvent) => void;
  #minimumSize: readonly [width: number, height: number];
  #normalBounds: Rectangle;
  #state: WindowState = 'normal';
  /** The last command to the browser, to preserve their order. */
  #applied: Promise<void>;

  constructor({ page, bounds, minimumSize, onChange }: PlacementOptions) {
    this.#page = page;
    this.#normalBounds = bounds;
    this.#minimumSize = minimumSize;
    this.#onChange = onChange;
    this.#applied = page.booted.catch(() => undefined);
  }

  get state(): WindowState {
    return this.#state;
  }

  get normalBounds(): Rectangle {
    return { ...this.#normalBounds };
  }

  get minimumSize(): [number, number] {
    return [...this.#minimumSize];
  }

  set minimumSize(size: readonly [width: number, height: number]) {
    this.#minimumSize = size;
    this.setBounds({});
  }

  get bounds(): Rectangle {
    if (this.#state === 'maximized') return { ...WORK_AREA };
    return this.#state === 'full-screen' ? { ...WHOLE_DISPLAY } : this.normalBounds;
  }

  setBounds(newBounds: Partial<Rectangle>): void {
    const before = this.bounds;
    this.#state = 'normal';
    const merged = { ...before, ...newBounds };
    const [minimumWidth, minimumHeight] = this.#minimumSize;
    this.#normalBounds = {
      x: Math.round(merged.x),
      y: Math.round(merged.y),
      width: Math.max(minimumWidth, Math.round(merged.width)),
      height: Math.max(minimumHeight, Math.round(merged.height)),
    };
    this.#announceDifference(before);
  }

  setState(state: WindowState): void {
    if (state === this.#state) return;
    const before = this.bounds;
    const previous = this.#state;
    this.#state = state;
    this.#onChange(nameTransition(previous, state));
    this.#announceDifference(before);
  }

  #announceDifference(before: Rectangle): void {
    const after = this.bounds;
    const moved = after.x !== before.x || after.y !== before.y;
    const resized = after.width !== before.width || after.height !== before.height;
    if (resized) this.#onChange('resize');
    if (moved) this.#onChange('move');
    if (moved || resized)
      this.#applied = this.#applied.then(() => this.#page.setBounds(after)).catch(() => undefined);
  }
}

function nameTransition(from: WindowState, to: WindowState): PlacementEvent {
  if (to === 'minimized') return 'minimize';
  if (to === 'maximized') return 'maximize';
  if (to === 'full-screen') return 'enter-full-screen';
  if (from === 'maximized') return 'unmaximize';
  return from === 'full-screen' ? 'leave-full-screen' : 'restore';
}
