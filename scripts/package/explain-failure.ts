/** Output of electron-builder and its downloads when a server is unreachable. */
const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EPIPE|EPROTO|socket hang up|disconnected before|fetch failed|certificate|Response code \d+/;

/** Explains what to do on a machine without the Electron binary that cannot download it. */
export const explainMissingElectron = (reason: string): string =>
  [
    `No package was made: the Electron binary is not installed, and fetching it failed (${reason}).`,
    'On a machine with a network, run: npx install-electron',
    'Or name a folder that holds it: npm run package -- -c.electronDist=FOLDER',
  ].join('\n');

/**
 * Explains why electron-builder failed and what to do.
 * @param output its complete output
 */
export function explainFailure(output: string): string {
  const target = /failed to build (\S+)/.exec(output)?.[1];
  if (unreachable.test(output)) {
    return [
      `No package was made: ${target === undefined ? 'something' : `a tool for ${target}`} that electron-builder fetches could not be fetched.`,
      'Run it again with a network; what was fetched once is kept.',
      'The app in a folder needs no such tool: npm run package -- --dir',
    ].join('\n');
  }
  return 'No package was made: electron-builder failed, as it says above.';
}
