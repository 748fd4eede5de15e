import { captureCommand } from '../../../process/capture.ts';

/** Bytes of git's answer that are kept: a list of refs, or a commit. */
const answerLimit = 1024 * 1024;

/** Variables that would turn git to another repository than the one it is given. */
const strayVariables = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
];

/** What git said, or why it could not do it; `isMissing` when there is no git. */
export type GitAnswer = { readonly text: string } | { readonly fault: string; readonly isMissing: boolean };

/** The git of this machine, for one step. */
export interface Git {
  /** Runs git in a folder. Never rejects; killed when the step is to end. */
  run(cwd: string, ...args: readonly string[]): Promise<GitAnswer>;
}

/**
 * @param env the step's variables: the person's own configuration of git and its helpers apply
 * @param tag the attempt's directory, which marks git and what it starts
 */
export function openGit(env: Readonly<Record<string, string>>, tag: string, signal: AbortSignal): Git {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !strayVariables.includes(name)));
  const gitEnv = {
    // Nobody is there to answer a question.
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...own,
    GIT_TERMINAL_PROMPT: '0',
    // Archives of a release have pointers in the place of large files, and actions rely on no more.
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
