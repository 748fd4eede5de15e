import { EventEmitter } from 'node:events';

type ThemeSource = 'system' | 'light' | 'dark';

/** Electron's `nativeTheme` on a desktop that prefers light; pages follow it. */
class NativeTheme extends EventEmitter {
  readonly shouldUseHighContrastColors = false;
  readonly shouldUseInvertedColorScheme = false;
  readonly inForcedColorsMode = false;
  readonly prefersReducedTransparency = false;
  #source: ThemeSource = 'system';

  get themeSource(): ThemeSource {
    return this.#source;
  }

  set themeSource(source: ThemeSource) {
    this.#source = source;
    this.emit('updated');
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark';
  }
}

export const nativeTheme = new NativeTheme().setMaxListeners(0);

/** The theme as a value of the media feature `prefers-color-scheme`. */
export function readColorScheme(): 'light' | 'dark' {
  return nativeTheme.shouldUseDarkColors ? 'dark' : 'light';
}
