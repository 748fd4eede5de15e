import { captureCommand } from '../../../process/capture.ts';

/** Maximum output of git that is read, in bytes. The output is a list of refs or a commit. */
const answerLimit = 1024 * 1024;

/** Environment variables that would make git use a different repository. */
const strayVariables = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
];

/** The output of git, or its error; `isMissing` if git is not installed. */
export type GitResult = { readonly text: string } | { readonly fault: string; readonly isMissing: boolean };

/** Runs the installed git for one step. */
export interface Git {
  /** Runs git in a folder. Never rejects; the process is killed when the step must end. */
  run(cwd: string, ...args: readonly string[]): Promise<GitResult>;
}

/**
 * @param env variables of the step, so that the user's git configuration and credential helpers apply
 * @param tag the attempt's directory, which identifies git and its child processes
 */
export function openGit(env: Readonly<Record<string, string>>, tag: string, signal: AbortSignal): Git {
  const safeEnv = Object.fromEntries(Object.entries(env).filter(([name]) => !strayVariables.includes(name)));
  const gitEnv = {
    // There is no terminal to answer prompts.
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...safeEnv,
    GIT_TERMINAL_PROMPT: '0',
    // Release archives contain LFS pointers instead of large files, so actions do not depend on LFS content.
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
  };
  return {
    async run(cwd, ...args) {
      const argv = ['git', ...args];
      const { stdout, error, refused } = await captureCommand({
        argv,
        env: gitEnv,
        cwd,
        tag,
        signal,
        maxBytes: answerLimit,
      });
      if (error === undefined) return { text: stdout };
      return { fault: error, isMissing: refused === 'not_found' };
    },
  };
}
