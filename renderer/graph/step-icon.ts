import { FileCode2, SquareTerminal, Terminal, Workflow, type LucideIcon } from 'lucide-react';
import type { StepAction } from '../../core/model/step.ts';

/** The icon of each kind of action, in the graph and in tables. */
export const stepIcons: Readonly<Record<StepAction['kind'], LucideIcon>> = {
  command: Terminal,
  argv: SquareTerminal,
  script: FileCode2,
  dag: Workflow,
};
