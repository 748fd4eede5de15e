import {
  Archive,
  Box,
  Braces,
  Database,
  FileCode2,
  Globe,
  Mail,
  Puzzle,
  Server,
  SquareTerminal,
  Terminal,
  UserCheck,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import type { ActionKind } from '../format/labels.ts';

/** The icon of each kind of action, in the graph and in tables. */
export const stepIcons: Readonly<Record<ActionKind, LucideIcon>> = {
  command: Terminal,
  argv: SquareTerminal,
  script: FileCode2,
  dag: Workflow,
  approval: UserCheck,
  archive: Archive,
  container: Box,
  gha: Puzzle,
  http: Globe,
  jq: Braces,
  mail: Mail,
  sql: Database,
  ssh: Server,
};
