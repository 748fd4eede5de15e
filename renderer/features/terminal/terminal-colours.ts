import type { ITheme } from '@xterm/xterm';

const tokens = {
  background: '--surface-panel',
  foreground: '--text',
  cursor: '--text',
  cursorAccent: '--surface-panel',
  selectionBackground: '--accent-soft',
} as const satisfies { readonly [Name in keyof ITheme]?: string };

/** Converts the theme colors to a format that the terminal supports. */
export function readTerminalColours(): ITheme {
  const probe = document.createElement('span');
  document.body.append(probe);
  const read = (token: string): string => {
    // Computed on an element, the color follows the current theme.
    probe.style.color = `var(${token})`;
    return defaultColour(getComputedStyle(probe).color);
  };
  const theme = Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, read(token)]));
  probe.remove();
  return theme;
}

function defaultColour(written: string): string {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null) return written;
  context.fillStyle = written;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}
