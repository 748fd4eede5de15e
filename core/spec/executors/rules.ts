import type { ConfigTable } from '../../model/executors/config-table.ts';
import type { ExecutorType } from '../../model/executors/executor-type.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import type { Place } from '../source/source-node.ts';
import { approvalRules } from './approval.ts';
import { archiveRules } from './archive.ts';
import { containerRules } from './container.ts';
import { ghaRules } from './gha.ts';
import { httpRules } from './http.ts';
import { jqRules } from './jq.ts';
import { mailRules } from './mail.ts';
import { sqlRules } from './sql.ts';
import { sshRules } from './ssh.ts';

/** Whether a step of an executor must, may or must not have a field. */
export type Need = 'needed' | 'allowed' | 'refused';

/** What a step of one executor looks like. */
export interface ExecutorRules {
  /** What it does, for editors. */
  readonly sentence: string;
  /** The fields of `config`. */
  readonly table: ConfigTable;
  readonly command: Need;
  readonly script: Need;
  /** Inputs. */
  readonly params: Need;
  /** What the two are, for editors, where they are not what a shell of this machine runs. */
  readonly words?: { readonly command?: string; readonly script?: string };
  /** A step that uses it, for messages and for editors. */
  readonly example: string;
  /** What the fields alone do not say. */
  check?(action: ExecutorAction, step: Place, report: Report): void;
}

/** The executors of this version: each file beside this one has the rules of one. */
export const executorRules: Readonly<Record<ExecutorType, ExecutorRules>> = {
  approval: approvalRules,
  archive: archiveRules,
  container: containerRules,
  gha: ghaRules,
  http: httpRules,
  jq: jqRules,
  mail: mailRules,
  sql: sqlRules,
  ssh: sshRules,
};
