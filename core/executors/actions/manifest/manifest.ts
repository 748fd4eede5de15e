/** The parts of an `action.yml` that running the action needs. Every string may contain `${{ … }}`. */
export interface Manifest {
  /** Absolute path of the metadata file, for error messages. */
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
  /** Deprecation message of the input. */
  readonly deprecation: string | undefined;
}

/** The pre and post stages of an action. */
export interface Stages<Program> {
  readonly pre: Program | undefined;
  /** Conditions; `always()` by default. */
  readonly preIf: string;
  readonly main: Program;
  readonly post: Program | undefined;
  readonly postIf: string;
}

/** Programs are paths relative to the action's folder. */
export interface JavaScriptRuns extends Stages<string> {
  readonly using: 'node';
  /** Major version of Node.js that the action asks for, for example 20. */
  readonly version: number;
}

export interface CompositeRuns {
  readonly using: 'composite';
  readonly steps: readonly CompositeStep[];
}

/** A step of a composite action. */
export interface CompositeStep {
  readonly id: string | undefined;
  /** Display name. Default: the command or the action. */
  readonly label: string;
  readonly if: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Evaluates to true or false. */
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

/** The entry points replace the entry point of the image. */
export interface DockerRuns extends Stages<string | undefined> {
  readonly using: 'docker';
  /** Path of a Dockerfile relative to the action's folder, or `docker://` followed by an image. */
  readonly image: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
