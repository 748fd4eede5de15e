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
