import type { StepAction, TerminalSize } from '../../model/workflow/step.ts';
import type { AuthoredStep } from '../authored.ts';
import type { Report } from '../source/report.ts';
import { fieldOf, type SourceRef } from '../source/source-node.ts';

/** Wide enough for the tables of most programs, because the size of the terminal never changes. */
const defaultSize: TerminalSize = { columns: 120, rows: 40 };

/** Reads `tty` of a step: whether its process has a terminal, and its size. */
export function readTerminal(
  { tty }: AuthoredStep,
  step: SourceRef,
  action: StepAction | undefined,
  report: Report,
): TerminalSize | undefined {
  if (tty === undefined || tty === false) return undefined;
  if (action?.kind === 'dag' || action?.kind === 'executor')
    report.error(
      fieldOf(step, 'tty'),
      '"tty" only works for steps that run a local command or script. Remove it.',
    );
  const { columns = defaultSize.columns, rows = defaultSize.rows } = tty === true ? defaultSize : tty;
  return { columns: Number(columns), rows: Number(rows) };
}
