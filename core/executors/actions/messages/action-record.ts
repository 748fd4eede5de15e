/** The outputs, state and errors of one use of an action, across its pre, main and post stages. */
export class ActionRecord {
  readonly outputs = new Map<string, string>();
  /** Passed from one stage to the next. */
  readonly state = new Map<string, string>();
  /** Message of the last `error` command. */
  lastError: string | undefined;
  /** Reason why the action fails whatever its exit code: it used a command that is not allowed. */
  refusal: string | undefined;
}

/** Changes that an action makes for everything that runs after it in the same step. */
export interface JobChanges {
  setVariable(name: string, value: string): void;
  addPath(folder: string): void;
  /** Masks the value from now on. */
  addMask(value: string): void;
}
