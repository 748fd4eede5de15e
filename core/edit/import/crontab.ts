import { CronPattern } from 'croner';
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
export function importCrontab(text: string, withUser: boolean = hasUserColumn(text)): ImportResult {
  const { jobs, faults } = parseCrontab(text, withUser);
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
  return { ok: true, workflows: jobs.map((job) => convert(job, chooseName)), notes };
}

function convert(job: CronJob, chooseName: (preferredName: string) => string): ImportedWorkflow {
  const name = chooseName(nameJob(job));
  const { SHELL: shell, CRON_TZ: zone, MAILTO: mailTo, ...variables } = Object.fromEntries(job.env);
  const isReboot = job.schedule.toLowerCase() === '@reboot';
  const text = writeWorkflow({
    description: job.comment,
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
    ...(mailTo ? [`Cron mailed the output to ${mailTo}. Use "mailOn" and "errorMail" instead.`] : []),
    'A scheduled run is skipped while the previous run is active; cron would start both. To run both, use "overlap: allow" with "maxActiveRuns: -1".',
  ];
  return { name, text, notes };
}

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

/** A line of a crontab with a job. */
interface CronJob {
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

/** Programs that run the program in their arguments. */
const wrappers = new Set(
  'env nice ionice nohup time timeout sudo flock chronic setsid exec command sh bash dash zsh ksh python python2 python3 node perl ruby php java if then test [ !'.split(
    ' ',
  ),
);

/** Programs whose name does not describe a job without their arguments. */
const generic = new Set(
  'echo printf cat cp mv rm mkdir touch find date sleep true false curl wget mail tar gzip make npm npx yarn pnpm docker kubectl systemctl service git rsync ssh scp psql mysql php artisan manage'.split(
    ' ',
  ),
);

/** Script names that are meaningless without their folder. */
const vague = new Set('start run main index job cron script bin app'.split(' '));

/** Returns the text for the name of a job: its script, else the comment above it, else its program and arguments. */
export function nameJob({ command, comment }: Pick<CronJob, 'command' | 'comment'>): string {
  const words = listWords(command);
  const first = words.findIndex((word) => scriptEnding.test(word));
  const [program = 'job', ...rest] = words.slice(Math.max(0, first));
  const name = getScriptName(program);
  if (!generic.has(name)) return name;
  if (comment !== undefined) return comment.toLowerCase().split(/\s+/).slice(0, 5).join('-');
  const plain = rest
    .map((word) => word.replaceAll(/["']/g, ''))
    .filter((word) => /^[A-Za-z][\w.:-]*$/.test(word));
  return [name, ...plain.slice(0, 2)].join('-');
}

const scriptEnding = /\.(?:sh|bash|py|pl|rb|js|mjs|ts|php|jar|exe)$/;

/** Returns the words of a command from its first program on: without assignments, `cd`, options and wrappers. */
function listWords(command: string): string[] {
  const words = command.split(/[\s;|&()]+/).filter((word) => word !== '');
  const programWords: string[] = [];
  words.forEach((word, index) => {
    const before = words[index - 1] ?? '';
    const isOption = word.startsWith('-') || /^\w+=/.test(word) || /^[<>\d]/.test(word);
    const isArgument = before === 'cd' || /[<>]$/.test(before) || (before === 'flock' && !isOption);
    const isLock = words[index - 2] === 'flock' && before.startsWith('-');
    if (isOption || isArgument || isLock || word === 'cd' || wrappers.has(baseName(word))) return;
    programWords.push(word);
  });
  return programWords;
}

const baseName = (word: string): string => word.split('/').findLast((part) => part !== '') ?? word;

/** Returns the name of a file without its extension; with the name of its folder if it is meaningless. */
function getScriptName(file: string): string {
  const segments = file.split('/').filter((part) => part !== '' && part !== '.' && part !== '~');
  const name = (segments.at(-1) ?? file).replace(scriptEnding, '');
  const folder = segments.at(-2);
  return vague.has(name) && folder !== undefined ? `${folder}-${name}` : name;
}
