import { CronPattern } from 'croner';
import { nameJobs, listCollisions, spreadJobs } from './crontab-times.ts';
import {
  createNames,
  writeWorkflow,
  type ImportedWorkflow,
  type ImportResult,
  findSizeProblem,
} from './imported-workflow.ts';

/**
 * Imports a crontab as one workflow per job, with its schedule, its command and the variables above it. Jobs run in
 * the home directory, as with cron.
 * @param withUser whether the lines contain user names, as in a system crontab; detected if absent
 */
export function importCrontab(
  text: string,
  withUser: boolean = hasUserColumn(text),
  options: CrontabOptions = {},
): ImportResult {
  const { jobs: written, faults } = parseCrontab(text, withUser);
  const jobs = options.spread === true ? spreadJobs(written) : written;
  const notes = faults.map(({ line, reason }) => `Line ${line} was skipped. ${reason}`);
  if (jobs.length === 0) {
    return {
      ok: false,
      reason:
        notes[0] ??
        'No jobs found. A crontab line has five time fields and a command: "30 6 * * 1-5 backup.sh".',
    };
  }
  const chooseName = createNames();
  const names = nameJobs(jobs).map(chooseName);
  const workflows = jobs.map((job, index) => convert(job, names[index]!, options));
  return { ok: true, workflows, notes, collisions: listCollisions(jobs, names) };
}

function convert(job: CronJob, name: string, { group }: CrontabOptions): ImportedWorkflow {
  const { SHELL: shell, CRON_TZ: zone, MAILTO: mailTo, ...variables } = Object.fromEntries(job.env);
  const isReboot = job.schedule.toLowerCase() === '@reboot';
  const text = writeWorkflow({
    description: job.comment,
    group,
    tags: group === undefined ? undefined : ['cron'],
    schedule: isReboot ? '@reboot' : job.schedule,
    timezone: isReboot || zone === '' ? undefined : zone,
    workingDir: variables['HOME'] ?? '~',
    env: Object.keys(variables).length > 0 ? variables : undefined,
    steps: [writeStep(job, shell)],
  });
  const notes = [
    ...(isReboot ? ['Cron ran this job at boot; here it runs when the scheduler starts.'] : []),
    ...(job.user === undefined
      ? []
      : [`Cron ran this job as ${job.user}; here it runs as the user of the scheduler.`]),
    ...(mailTo ? [describeMail(mailTo)] : []),
    'A scheduled run is skipped while the previous run is active; cron would start both. To run both, use "overlap: allow" with "maxActiveRuns: -1".',
  ];
  return {
    name,
    text,
    notes,
    job: { line: job.line, schedule: job.schedule, command: job.command },
    ...(mailTo && { mailTo: listAddresses(mailTo) }),
  };
}

/** `MAILTO` can also name local users. */
const listAddresses = (mailTo: string): string[] =>
  mailTo.split(/[\s,]+/).filter((address) => /^[^\s@]+@[^\s@]+$/.test(address));

const describeMail = (mailTo: string): string =>
  listAddresses(mailTo).length === 0
    ? `Cron mailed the output to the local user ${mailTo}. Create a notification rule instead.`
    : `Cron mailed the output to ${mailTo}; here a notification rule reports failures.`;

function writeStep({ command, input }: CronJob, shell: string | undefined): Record<string, string> {
  // With `-e`, which a step's shell gets by default, the first failure of several commands would end the script.
  const named = shell ?? (/[;&\n]/.test(command) || input !== undefined ? 'sh' : undefined);
  const name = 'run';
  const rest: Record<string, string> = named === undefined ? {} : { shell: named };
  return input === undefined
    ? { name, command, ...rest }
    : { name, script: withInput(command, input), ...rest };
}

function withInput(command: string, input: string): string {
  let end = 'INPUT';
  while (input.split('\n').includes(end)) end += '_';
  return `{\n  ${command}\n} <<'${end}'\n${input}\n${end}\n`;
}

/** How jobs become workflows. */
export interface CrontabOptions {
  /** Group of the workflows, such as the name of the file; they also get the tag `cron`. */
  readonly group?: string | undefined;
  /** Moves jobs that start in the same minute to successive minutes. */
  readonly spread?: boolean | undefined;
}

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

/**
 * Comments out the lines of jobs; the others are unchanged.
 * @param lines 1-based
 */
export function commentOutLines(text: string, lines: ReadonlySet<number>): string {
  return text
    .split('\n')
    .map((content, index) => (lines.has(index + 1) ? `# ${content}` : content))
    .join('\n');
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
