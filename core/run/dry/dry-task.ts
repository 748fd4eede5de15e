import type { Clock } from '../../base/clock.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { Parameter, Workflow } from '../../model/workflow/workflow.ts';
import type { LoadedFile } from '../run-service.ts';
import type { Inheritance } from '../values/open-scope.ts';
import type { SystemFacts } from '../values/value-sources.ts';
import type { Workers } from '../workers.ts';
import type { FindingList } from './finding-list.ts';

/** A workflow on the way from the first one to the one that is looked at. */
export interface ChainLink {
  readonly name: string;
  /** Tells workflows apart. */
  readonly identity: string;
  /** What it is given. */
  readonly params: string;
  /** Tells workflows with everything that reaches them apart. */
  readonly key: string;
  /** A condition decides whether it, or the step that leads to it, is run. */
  readonly isConditional: boolean;
}

/** A workflow to be looked at, and what its run would be given. */
export interface DryTask {
  readonly source: LoadedFile;
  readonly workflow: Workflow;
  /** Of the run. */
  readonly name: string;
  readonly given: readonly Parameter[];
  readonly defaultWorkingDir: string | undefined;
  readonly inherited: Inheritance | undefined;
  readonly isSubRun: boolean;
  /** From the first workflow to this one. */
  readonly chain: readonly ChainLink[];
}

/** A sub-workflow that a step would run. */
export interface SubTask {
  readonly parent: DryTask;
  readonly step: Step;
  readonly dag: string;
  readonly params: readonly Parameter[];
  /** Absolute: where it works when it names no folder; undefined when its caller names none either. */
  readonly folder: string | undefined;
  readonly inheritance: Inheritance;
}

/** What one dry run works with. */
export interface DryParts {
  readonly findings: FindingList;
  readonly clock: Clock;
  readonly environment: SystemFacts['environment'];
  readonly passed: SystemFacts['passed'];
  readonly keychain: SystemFacts['keychain'];
  /** Absolute path of the home. */
  readonly home: string;
  /** Absolute: where logs of runs go whose workflow names no folder. */
  readonly logs: string;
  readonly runSubstitutions: boolean;
  readonly workers: Workers;
  /** Values that are hidden; is added to. */
  readonly masked: Set<string>;
  /** Place of a sub-workflow's plan; undefined when there is none, for a reason that is shown elsewhere. */
  planSub(task: SubTask): Promise<number | undefined>;
}
