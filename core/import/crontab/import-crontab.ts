import { createNames } from '../choose-name.ts';
import { writeWorkflow, type ImportedWorkflow, type ImportResult } from '../imported-workflow.ts';
import { nameJob } from './name-job.ts';
import { hasUserColumn, parseCrontab, type CronJob } from './parse-crontab.ts';

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

function convert(job: CronJob, chooseName: (wanted: string) => string): ImportedWorkflow {
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
