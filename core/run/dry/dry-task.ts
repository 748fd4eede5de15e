import type { Clock } from '../../base/clock.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { Parameter, Workflow } from '../../model/workflow/workflow.ts';
import type { LoadedFile } from '../run-service.ts';
import type { Inheritance } from '../values/open-scope.ts';
import type { SystemContext } from '../values/value-sources.ts';
import type { Workers } from '../workers.ts';
import type { FindingList } from './finding-list.ts';

/** A workflow on the path from the first one to the current one. */
export interface ChainLink {
  readonly name: string;
  /** Identifies the workflow. */
  readonly identity: string;
  /** The parameters it gets. */
  readonly params: string;
  /** Identifies the workflow together with all inputs. */
  readonly key: string;
  /** Whether a condition decides if the workflow, or the step that calls it, is run. */
  readonly isConditional: boolean;
}

/** A workflow to plan, and the inputs of its run. */
export interface DryTask {
  readonly source: LoadedFile;
  readonly workflow: Workflow;
  /** Name of the run. */
  readonly name: string;
  readonly explicitParams: readonly Parameter[];
  readonly defaultWorkingDir: string | undefined;
  readonly inherited: Inheritance | undefined;
  readonly isSubRun: boolean;
  /** Path from the first workflow to this one. */
  readonly chain: readonly ChainLink[];
}

/** A sub-workflow that a step would run. */
export interface SubTask {
  readonly parent: DryTask;
  readonly step: Step;
  readonly dag: string;
  readonly params: readonly Parameter[];
  /** Working directory when the workflow names none. Absolute path; undefined when its caller names none either. */
  readonly folder: string | undefined;
  readonly inheritance: Inheritance;
}

/** State and helpers of one dry run. */
export interface DryDeps {
  readonly findings: FindingList;
  readonly clock: Clock;
  readonly environment: SystemContext['environment'];
  readonly passed: SystemContext['passed'];
  readonly keychain: SystemContext['keychain'];
  /** Absolute path of the home. */
  readonly home: string;
  /** Where the logs of runs go when their workflow names no directory. Absolute path. */
  readonly logs: string;
  readonly runSubstitutions: boolean;
  readonly workers: Workers;
  /** Values to mask. Grows during the dry run. */
  readonly masked: Set<string>;
  /**
   * Returns the index of a sub-workflow's plan; undefined when there is none, for a reason that is reported elsewhere.
   */
  planSub(task: SubTask): Promise<number | undefined>;
}
