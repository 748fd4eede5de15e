import { sshTable } from '../../model/executors/ssh.ts';
import { findField, fieldOf } from '../source/source-node.ts';
import type { ExecutorRules } from './rules.ts';

/** Runs a command or script on another host. */
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
      report.error(fieldOf(step, 'command'), '"command" is empty. Add a command, or remove the field.');
    else if (script?.trim() === '')
      report.error(fieldOf(step, 'script'), '"script" is empty. Add a script, or remove the field.');
    else if (command === undefined && argv === undefined && script === undefined)
      report.error(step, 'The step has nothing to run on the host. Add "command" or "script".');
    if (config['host'] !== undefined && config['ip'] !== undefined)
      report.error(
        fieldOf(fieldOf(step, 'config'), 'ip'),
        '"ip" and "host" mean the same. Remove one of them.',
      );
    const dir = findField(step, 'dir');
    if (dir !== undefined)
      report.error(
        dir,
        '"dir" is a folder on this machine and has no effect over SSH. Start the command with "cd" instead.',
      );
  },
};
