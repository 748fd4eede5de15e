import { sshTable } from '../../model/executors/ssh.ts';
import { findPlace, placeOf } from '../source/source-node.ts';
import type { ExecutorRules } from './rules.ts';

/** A command or script on another host. */
export const sshRules: ExecutorRules = {
  sentence: 'Runs a command on another host over SSH.',
  table: sshTable,
  command: 'allowed',
  script: 'allowed',
  params: 'refused',
  words: {
    command: 'Command to run on the remote host.',
    script: 'Script to run on the remote host.',
  },
  example: '{type: ssh, config: {user: deploy, host: build.example.com}, command: uptime}',
  check({ config, command, argv, script }, step, report) {
    if (command?.trim() === '' || argv?.length === 0)
      report.error(
        placeOf(step, 'command'),
        '"command" is empty. Write what is run on the host, or remove it.',
      );
    else if (script?.trim() === '')
      report.error(
        placeOf(step, 'script'),
        '"script" is empty. Write what is run on the host, or remove it.',
      );
    else if (command === undefined && argv === undefined && script === undefined)
      report.error(step, 'The step does nothing on the host. Give it "command" or "script".');
    if (config['host'] !== undefined && config['ip'] !== undefined)
      report.error(placeOf(placeOf(step, 'config'), 'ip'), '"ip" is the same as "host". Remove one.');
    const dir = findPlace(step, 'dir');
    if (dir !== undefined)
      report.error(
        dir,
        '"dir" is a folder of this machine, and the step runs on another one. Remove it, and begin the command with "cd".',
      );
  },
};
