import { CronPattern } from 'croner';
import { findSizeProblem } from '../imported-workflow.ts';

/** A line of a crontab with a job. */
export interface CronJob {
  /** 1-based. */
  readonly line: number;
  /** Five fields, or a nickname such as `@daily`. */
  readonly schedule: string;
  /** User of the job in a system crontab. */
  readonly user?: string;
  /** Text that the shell receives: the text before the first unescaped `%`. */
  readonly command: string;
  /** The text after it, with line breaks for further ones: standard input of the command. */
  readonly input?: string;
  /** Comment lines directly above. */
  readonly comment?: string;
  /** Variables that are set above it. */
  readonly env: ReadonlyMap<string, string>;
}

export interface Crontab {
  readonly jobs: readonly CronJob[];
  /** Invalid lines with the reason. */
  readonly faults: readonly { readonly line: number; readonly reason: string }[];
}

/** Maximum number of lines with jobs and variables, because each job gets all variables above it. */
const maxLines = 2000;

const assignment = /^\s*(?:"([^"]+)"|'([^']+)'|([A-Za-z_]\w*))\s*=\s*((?:.*\S)?)\s*$/;
const jobLine = /^\s*(@\w+|(?:\S+\s+){4}\S+)\s+(\S(?:.*\S)?)\s*$/;

/**
 * Parses a crontab (crontab(5) of Debian's cron).
 * @param withUser whether the lines contain user names, as in `/etc/crontab` and `/etc/cron.d`
 */
export function parseCrontab(text: string, withUser: boolean): Crontab {
  const problem = findSizeProblem(text, maxLines);
  if (problem !== undefined) return { jobs: [], faults: [{ line: 1, reason: problem }] };
  const jobs: CronJob[] = [];
  const faults: { line: number; reason: string }[] = [];
  const env = new Map<string, string>();
  let comment: string[] = [];
  text.split(/\r?\n/).forEach((content, index) => {
    const line = index + 1;
    const trimmed = content.trim();
    if (trimmed.startsWith('#')) {
      const uncommented = trimmed.replace(/^#+\s?/, '');
      // The comment above a commented-out line belongs to that line.
      if (isCommentedOut(uncommented)) comment = [];
      else comment.push(uncommented);
    } else if (trimmed === '') comment = [];
    else {
      const set = assignment.exec(content);
      if (set !== null) env.set((set[1] ?? set[2] ?? set[3])!, unquote(set[4]!));
      else {
        const job = readJob(content, withUser);
        if (typeof job === 'string') faults.push({ line, reason: job });
        else {
          jobs.push({
            ...job,
            line,
            env: new Map(env),
            ...(comment.length > 0 ? { comment: comment.join(' ') } : {}),
          });
        }
      }
      comment = [];
    }
  });
  return { jobs, faults };
}

function readJob(content: string, withUser: boolean): Omit<CronJob, 'line' | 'env'> | string {
  const [, schedule, rest] = jobLine.exec(content) ?? [];
  if (schedule === undefined || rest === undefined) {
    return 'A line needs five time fields, or a word such as @daily, and a command.';
  }
  const scheduleError = findScheduleError(schedule);
  if (scheduleError !== undefined) return `Invalid time "${schedule}": ${scheduleError}.`;
  const [, user, command] = withUser ? (/^(\S+)\s+(.+)$/.exec(rest) ?? []) : [undefined, undefined, rest];
  if (command === undefined) return 'Missing command after the user.';
  const [first = '', ...input] = command.split(/(?<!\\)%/).map((part) => part.replaceAll('\\%', '%'));
  return {
    schedule: schedule.replaceAll(/\s+/g, ' '),
    command: first.trim(),
    ...(user === undefined ? {} : { user }),
    ...(input.length > 0 ? { input: input.join('\n') } : {}),
  };
}

/** Nicknames of schedules; `@reboot` is when cron starts. */
const nicknames = [
  '@reboot',
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
];

function findScheduleError(schedule: string): string | undefined {
  if (schedule.startsWith('@'))
    return nicknames.includes(schedule.toLowerCase()) ? undefined : `valid words are ${nicknames.join(', ')}`;
  try {
    const { pattern } = new CronPattern(schedule, undefined, { mode: '5-part' });
    return pattern === '' ? 'the expression is empty' : undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unrecognized syntax';
    return message.replace(/^\w+: /, '').replace(/\.$/, '');
  }
}

/** Whether a comment is a commented-out job or variable. */
function isCommentedOut(uncommented: string): boolean {
  if (/^[A-Z_][A-Z0-9_]*=/.test(uncommented)) return true;
  const [, schedule] = jobLine.exec(uncommented) ?? [];
  return schedule !== undefined && findScheduleError(schedule) === undefined;
}

const unquote = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;

/** Whether the lines seem to contain user names: each has a common user name as its sixth word. */
export function hasUserColumn(text: string): boolean {
  const { jobs } = parseCrontab(text, true);
  return (
    jobs.length > 0 &&
    jobs.every(({ user = '' }) =>
      /^(?:root|www-data|nobody|daemon|backup|mail|postgres|ubuntu|debian)$/.test(user),
    )
  );
}
