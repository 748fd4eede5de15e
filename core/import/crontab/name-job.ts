import type { CronJob } from './parse-crontab.ts';

/** Programs that run the one after them. */
const wrappers = new Set(
  'env nice ionice nohup time timeout sudo flock chronic setsid exec command sh bash dash zsh ksh python python2 python3 node perl ruby php java if then test [ !'.split(
    ' ',
  ),
);

/** Programs that say nothing of what a job is for without their arguments. */
const generic = new Set(
  'echo printf cat cp mv rm mkdir touch find date sleep true false curl wget mail tar gzip make npm npx yarn pnpm docker kubectl systemctl service git rsync ssh scp psql mysql php artisan manage'.split(
    ' ',
  ),
);

/** Names of scripts that say nothing without their folder. */
const vague = new Set('start run main index job cron script bin app'.split(' '));

/** The text that a job is best called by: its script, else the comment above it, else its program and arguments. */
export function nameJob({ command, comment }: Pick<CronJob, 'command' | 'comment'>): string {
  const words = listWords(command);
  const first = words.findIndex((word) => scriptEnding.test(word));
  const [program = 'job', ...rest] = words.slice(Math.max(0, first));
  const name = nameOfFile(program);
  if (!generic.has(name)) return name;
  if (comment !== undefined) return comment.toLowerCase().split(/\s+/).slice(0, 5).join('-');
  const plain = rest
    .map((word) => word.replaceAll(/["']/g, ''))
    .filter((word) => /^[A-Za-z][\w.:-]*$/.test(word));
  return [name, ...plain.slice(0, 2)].join('-');
}

const scriptEnding = /\.(?:sh|bash|py|pl|rb|js|mjs|ts|php|jar|exe)$/;

/** The words of the command from its first program on: without assignments, `cd`, options and wrappers. */
function listWords(command: string): string[] {
  const words = command.split(/[\s;|&()]+/).filter((word) => word !== '');
  const kept: string[] = [];
  words.forEach((word, index) => {
    const before = words[index - 1] ?? '';
    const isOption = word.startsWith('-') || /^\w+=/.test(word) || /^[<>\d]/.test(word);
    const isArgument = before === 'cd' || /[<>]$/.test(before) || (before === 'flock' && !isOption);
    const isLock = words[index - 2] === 'flock' && before.startsWith('-');
    if (isOption || isArgument || isLock || word === 'cd' || wrappers.has(baseName(word))) return;
    kept.push(word);
  });
  return kept;
}

const baseName = (word: string): string => word.split('/').findLast((part) => part !== '') ?? word;

/** The name of a file without its ending; with that of its folder where it says little. */
function nameOfFile(file: string): string {
  const parts = file.split('/').filter((part) => part !== '' && part !== '.' && part !== '~');
  const name = (parts.at(-1) ?? file).replace(scriptEnding, '');
  const folder = parts.at(-2);
  return vague.has(name) && folder !== undefined ? `${folder}-${name}` : name;
}
