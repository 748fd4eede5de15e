/** What an `action.yml` says, as far as running the action needs it. Every text may hold `${{ … }}`. */
export interface Manifest {
  /** Absolute: the file itself, for messages. */
  readonly file: string;
  readonly name: string;
  readonly inputs: readonly InputDefinition[];
  readonly outputs: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly runs: JavaScriptRuns | CompositeRuns | DockerRuns;
}

export interface InputDefinition {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly default: string | undefined;
  /** Why it should not be used any more. */
  readonly deprecation: string | undefined;
}

/** What comes before and after an action's main part. */
export interface Stages<Program> {
  readonly pre: Program | undefined;
  /** Conditions, `always()` when the file has none. */
  readonly preIf: string;
  readonly main: Program;
  readonly post: Program | undefined;
  readonly postIf: string;
}

/** Programs are paths below the action's folder. */
export interface JavaScriptRuns extends Stages<string> {
  readonly using: 'node';
  /** The Node that the action is made for: 20 for instance. */
  readonly version: number;
}

export interface CompositeRuns {
  readonly using: 'composite';
  readonly steps: readonly CompositeStep[];
}

/** A step of a composite action. */
export interface CompositeStep {
  readonly id: string | undefined;
  /** For people; the command or the action when the file names it not. */
  readonly label: string;
  readonly if: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** A text that comes to true or false. */
  readonly continueOnError: string | undefined;
  readonly work:
    | {
        readonly kind: 'run';
        readonly run: string;
        readonly shell: string;
        readonly workingDirectory: string | undefined;
      }
    | { readonly kind: 'uses'; readonly uses: string; readonly with: Readonly<Record<string, string>> };
}

/** Entry points replace those of the image. */
export interface DockerRuns extends Stages<string | undefined> {
  readonly using: 'docker';
  /** A path below the action's folder, of a Dockerfile, or `docker://` and an image. */
  readonly image: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
