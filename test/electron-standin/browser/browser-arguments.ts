import { PRIMARY_DISPLAY_SIZE } from '../desktop/display-size.ts';

/** Inputs of the browser's command line. */
export interface BrowserArgumentOptions {
  readonly profileFolder: string;
  /** Switches of the application (`app.commandLine`); an empty string means "no value". */
  readonly switches: ReadonlyMap<string, string>;
  readonly debuggingPort: boolean;
  readonly headed: boolean;
}

const FIXED_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--password-store=basic',
  '--use-mock-keychain',
  '--no-startup-window',
  '--remote-debugging-pipe',
  // Optimizing the code of pages that close after some seconds takes a sixth of their CPU time.
  '--js-flags=--no-opt,--no-maglev',
];

/**
 * Feature lists, which Chromium accepts once each: a second switch of the same name would replace the first.
 */
const LIST_SWITCHES = ['enable-features', 'disable-features'];

/** The browser's command line. Playwright's loader adds its own switches through `app.commandLine`. */
export function buildBrowserArguments(options: BrowserArgumentOptions): string[] {
  const { width, height } = PRIMARY_DISPLAY_SIZE;
  const ownSwitches = [...options.switches]
    .filter(([name, value]) => value !== '' || !LIST_SWITCHES.includes(name))
    .map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`));
  return [
    ...FIXED_ARGUMENTS,
    `--user-data-dir=${options.profileFolder}`,
    `--screen-info={${width}x${height}}`,
    ...(options.debuggingPort ? ['--remote-debugging-port=0'] : []),
    ...(options.headed ? [] : ['--headless']),
    ...ownSwitches,
  ];
}
