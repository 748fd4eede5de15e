import {
  Archive,
  Bell,
  Box,
  Braces,
  Database,
  File,
  FileCode2,
  Globe,
  Hourglass,
  Mail,
  Puzzle,
  Server,
  SquareTerminal,
  Terminal,
  UserCheck,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import { executorTypes, stepTypes, type StepIcon } from '../../core/model/step-types.ts';
import type { ActionKind } from '../format/labels.ts';

const icons: Readonly<Record<StepIcon, LucideIcon>> = {
  archive: Archive,
  bell: Bell,
  box: Box,
  braces: Braces,
  database: Database,
  file: File,
  globe: Globe,
  hourglass: Hourglass,
  mail: Mail,
  puzzle: Puzzle,
  server: Server,
  'user-check': UserCheck,
};

/** The icon of each kind of action, in the graph and in tables. */
export const stepIcons = {
  command: Terminal,
  argv: SquareTerminal,
  script: FileCode2,
  dag: Workflow,
  ...Object.fromEntries(executorTypes.map((type) => [type, icons[stepTypes[type].icon]])),
} as Readonly<Record<ActionKind, LucideIcon>>;
