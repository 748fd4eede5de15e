/** What one use of an action has said so far, in its main part and before and after it. */
export class ActionRecord {
  readonly outputs = new Map<string, string>();
  /** From one stage to the next ones. */
  readonly state = new Map<string, string>();
  /** The last error that it told in words. */
  lastError: string | undefined;
  /** Why it counts as failed whatever its exit code: it asked for what it may not have. */
  refusal: string | undefined;
}

/** What an action may change for all that comes after it in the same step. */
export interface SharedChanges {
  setVariable(name: string, value: string): void;
  addPath(folder: string): void;
  /** From now on the value is hidden. */
  addMask(value: string): void;
}
