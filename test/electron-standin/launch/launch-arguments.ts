/** The parsed command line of the `electron` executable. */
export interface LaunchArguments {
  readonly showVersion: boolean;
  /** Modules to require before the main file (`-r`); Playwright passes its loader this way. */
  readonly preloadedModules: readonly string[];
  /** Open Node's inspector, on any free port. */
  readonly inspect: boolean;
  /** Open the browser's debugging port and announce it. */
  readonly debugBrowser: boolean;
  /** The application: a folder or a main file. */
  readonly application: string;
  /** Index of `application` in the arguments, -1 if omitted. */
  readonly applicationIndex: number;
}

/**
 * Parses the command line up to the application; everything after it belongs to the application.
 * @param args the arguments without the name of the executable
 * @param packaged the application of a packaged executable, whose command line has none
 */
export function parseLaunchArguments(args: readonly string[], packaged?: string): LaunchArguments {
  const preloadedModules: string[] = [];
  const seen = new Set<string>();
  let index = 0;
  for (; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (!argument.startsWith('-')) break;
    if (argument === '-r' || argument === '--require') preloadedModules.push(args[++index] ?? '');
    else seen.add(argument.replace(/=.*$/s, ''));
  }
  return {
    showVersion: seen.has('--version') || seen.has('-v'),
    preloadedModules,
    inspect: seen.has('--inspect'),
    debugBrowser: seen.has('--remote-debugging-port'),
    application: packaged ?? args[index] ?? '.',
    applicationIndex: packaged === undefined && index < args.length ? index : -1,
  };
}
