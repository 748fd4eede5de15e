/** Colours and other commands to a terminal. */
// oxlint-disable-next-line no-control-regex
const terminalCommands = /\u001B(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007]*\u0007)/g;

/** A line of a log without what only a terminal understands; of one that was overwritten, what came last. */
export const cleanLine = (line: string): string =>
  (
    line
      .replaceAll(terminalCommands, '')
      .split('\r')
      .findLast((part) => part !== '') ?? ''
  ).trimEnd();
