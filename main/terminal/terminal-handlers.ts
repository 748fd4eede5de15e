import type { DesktopInput } from '../../core/contract/desktop/calls.ts';
import type { DesktopHandlers } from '../ipc/register-desktop.ts';
import type { Terminals } from './terminals.ts';

type TerminalCall = Extract<keyof DesktopHandlers, `terminal.${string}`>;

/** Handles the window's calls for terminals. @param openHere opens the system's terminal */
export const terminalHandlers = (
  terminals: Terminals,
  openHere: (place: DesktopInput<'terminal.openHere'>['place']) => Promise<void>,
): Pick<DesktopHandlers, TerminalCall> => ({
  'terminal.openHere': async ({ place }) => {
    await openHere(place);
    return {};
  },
  'terminal.start': (options) => terminals.start(options),
  'terminal.write': ({ id, data }) => {
    terminals.write(id, data);
    return {};
  },
  'terminal.resize': ({ id, columns, rows }) => {
    terminals.resize(id, columns, rows);
    return {};
  },
  'terminal.taken': ({ id, count }) => {
    terminals.take(id, count);
    return {};
  },
  'terminal.close': ({ id }) => {
    terminals.close(id);
    return {};
  },
});
