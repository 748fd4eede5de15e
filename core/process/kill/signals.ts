import { constants } from 'node:os';

/** Signal names of this platform with their numbers. */
const numbers: Readonly<Record<string, number>> = constants.signals;

/** Parses a signal name: `SIGINT`, `INT` or `int` → `SIGINT`; undefined when this platform has no such signal. */
export function parseSignal(text: string): NodeJS.Signals | undefined {
  const upper = text.trim().toUpperCase();
  const name = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  return Object.hasOwn(numbers, name) ? (name as NodeJS.Signals) : undefined;
}
