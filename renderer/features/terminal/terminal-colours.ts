import type { ITheme } from '@xterm/xterm';

const tokens = {
  background: '--surface-panel',
  foreground: '--text',
  cursor: '--text',
  cursorAccent: '--surface-panel',
  selectionBackground: '--accent-soft',
} as const satisfies { readonly [Name in keyof ITheme]?: string };

/** The colours of the window as the terminal reads them, which knows none of the newer ways to write them. */
export function readTerminalColours(): ITheme {
  const probe = document.createElement('span');
  document.body.append(probe);
  const read = (token: string): string => {
    // As a colour of an element it is the one of the theme that counts now.
    probe.style.color = `var(${token})`;
    return plainColour(getComputedStyle(probe).color);
  };
  const theme = Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, read(token)]));
  probe.remove();
  return theme;
}

function plainColour(written: string): string {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null) return written;
  context.fillStyle = written;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}
