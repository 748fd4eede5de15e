import { CronPattern } from 'croner';
import { pluralize } from '../../base/text.ts';
import { cronNicknames } from '../../model/workflow-rules.ts';
import type { CronJob } from './crontab.ts';

/** Returns the names of jobs. Jobs of the same script are named by the comments above them, if several have one. */
export function nameJobs(jobs: readonly CronJob[]): string[] {
  const byName = Map.groupBy(jobs, nameJob);
  return jobs.map((job) => {
    const name = nameJob(job);
    const commented = byName.get(name)!.filter(({ comment }) => comment !== undefined);
    return commented.length > 1 && job.comment !== undefined ? nameFromComment(job.comment) : name;
  });
}

/** Numbers of jobs in comments say nothing: `job 4 rotate logs` is `rotate-logs`. */
const nameFromComment = (comment: string): string =>
  comment
    .toLowerCase()
    .replace(/^(?:job|task|cron|cronjob)?\s*#?\d+\s*[:.)-]?\s+/, '')
    .split(/\s+/)
    .slice(0, 5)
    .join('-');

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
  if (comment !== undefined) return nameFromComment(comment);
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

/** Jobs with more starts on a day are only compared with each other: they would collide with most others. */
const maxStartsPerDay = 48;

/** Maximum number of names in a message, and of messages. */
const maxNames = 5;
const maxMessages = 20;

/** Returns the five fields of a schedule, without leading zeros; undefined for `@reboot`. */
function toFields(schedule: string): string | undefined {
  if (schedule.startsWith('@')) return cronNicknames[schedule.toLowerCase()];
  return schedule.replaceAll(/(?<![\d#])0+(?=\d)/g, '');
}

/** The minutes in which jobs start, of a week from Sunday 00:00. Days of the month are not considered. */
type WeekMinutes = readonly number[];

/** @returns undefined if the job starts more often than {@link maxStartsPerDay} */
function listMinutes(fields: string): WeekMinutes | undefined {
  const { minute, hour, dayOfWeek, starDOM } = new CronPattern(fields, undefined, { mode: '5-part' });
  const on = (values: readonly number[]): number[] =>
    values.flatMap((value, index) => (value === 0 ? [] : [index]));
  const [minutes, hours] = [on(minute), on(hour)];
  if (minutes.length * hours.length > maxStartsPerDay) return undefined;
  // With days of the month, cron starts a job on both.
  const days = starDOM ? on(dayOfWeek) : [0, 1, 2, 3, 4, 5, 6];
  return days.flatMap((day) =>
    hours.flatMap((hour_) => minutes.map((each) => (day * 24 + hour_) * 60 + each)),
  );
}

const formatTime = (minute: number): string =>
  `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/**
 * Describes the jobs that start in the same minute, most jobs first.
 * @param names of the jobs, by index
 */
export function listCollisions(jobs: readonly CronJob[], names: readonly string[]): string[] {
  const byMinute = new Map<number, number[]>();
  const frequent = new Map<string, number[]>();
  jobs.forEach(({ schedule }, index) => {
    const fields = toFields(schedule);
    if (fields === undefined) return;
    const minutes = listMinutes(fields);
    if (minutes === undefined) add(frequent, fields.split(' ', 2).join(' '), index);
    else for (const minute of minutes) add(byMinute, minute, index);
  });
  /** Times of each set of jobs that start together. */
  const together = new Map<string, Collision & { readonly times: Set<string> }>();
  for (const [minute, members] of byMinute) {
    const key = members.join();
    const known = together.get(key) ?? { members, times: new Set() };
    together.set(key, known);
    known.times.add(formatTime(minute));
  }
  const collisions = [
    ...together.values(),
    ...[...frequent].map(([fields, members]) => ({ members, times: new Set([fields]) })),
  ]
    .filter(({ members }) => members.length > 1)
    .toSorted((a, b) => b.members.length - a.members.length);
  const shown: typeof collisions = [];
  let others = 0;
  for (const collision of collisions) {
    // On other days with fewer jobs
    if (shown.some((larger) => includes(larger, collision))) continue;
    if (shown.length < maxMessages) shown.push(collision);
    else others += 1;
  }
  const messages = shown.map(
    ({ members, times }) =>
      `${pluralize(members.length, 'job')} start ${formatTimes([...times])}: ${nameMembers(members, names)}.`,
  );
  return others > 0
    ? [...messages, `Jobs also start together at ${pluralize(others, 'other time')}.`]
    : messages;
}

interface Collision {
  readonly members: readonly number[];
  /** Times of the day; the minute and hour fields of jobs that start often. */
  readonly times: ReadonlySet<string>;
}

const includes = (larger: Collision, { members, times }: Collision): boolean =>
  [...times].every((time) => larger.times.has(time)) &&
  members.every((member) => larger.members.includes(member));

function add<Key>(groups: Map<Key, number[]>, key: Key, index: number): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [index]);
  else group.push(index);
}

function formatTimes(times: readonly string[]): string {
  const [first = '', ...others] = times.toSorted();
  if (!first.includes(':')) return `at the same minutes (${first})`;
  return others.length === 0 ? `at ${first}` : `at ${first} and ${pluralize(others.length, 'other time')}`;
}

function nameMembers(members: readonly number[], names: readonly string[]): string {
  const first = members.slice(0, maxNames).map((index) => names[index]!);
  const others = members.length - first.length;
  return first.join(', ') + (others > 0 ? ` and ${others} more` : '');
}

/**
 * Moves jobs that start in the same minute to the next minute of their hour with the fewest other jobs. Jobs with
 * lists or ranges of minutes stay.
 */
export function spreadJobs(jobs: readonly CronJob[]): CronJob[] {
  const load = new Map<number | string, number>();
  const known = new Map<string, readonly (number | string)[]>();
  const getPlaces = (fields: string): readonly (number | string)[] => {
    const places = known.get(fields) ?? listMinutes(fields) ?? [fields.split(' ', 2).join(' ')];
    known.set(fields, places);
    return places;
  };
  return jobs.map((job) => {
    const fields = toFields(job.schedule);
    if (fields === undefined) return job;
    let best: { readonly fields: string; readonly places: readonly (number | string)[] } | undefined;
    let least = Infinity;
    for (const moved of listMoves(fields)) {
      const places = getPlaces(moved);
      const most = places.reduce<number>((highest, place) => Math.max(highest, load.get(place) ?? 0), 0);
      if (most >= least) continue;
      best = { fields: moved, places };
      least = most;
      if (most === 0) break;
    }
    for (const place of best!.places) load.set(place, (load.get(place) ?? 0) + 1);
    return best!.fields === fields ? job : { ...job, schedule: best!.fields };
  });
}

/** Lists a schedule with its possible other minutes, nearest first. */
function listMoves(fields: string): readonly string[] {
  const [minute = '', ...rest] = fields.split(' ');
  const every = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (every !== undefined) {
    const starts = Array.from({ length: Math.min(Number(every), 60) - 1 }, (_, index) => index + 1);
    return [fields, ...starts.map((start) => [`${start}-59/${every}`, ...rest].join(' '))];
  }
  if (!/^\d+$/.test(minute)) return [fields];
  const before = Array.from({ length: Number(minute) }, (_, index) => Number(minute) - 1 - index);
  const after = Array.from({ length: 59 - Number(minute) }, (_, index) => Number(minute) + 1 + index);
  return [fields, ...[...after, ...before].map((other) => [other, ...rest].join(' '))];
}
