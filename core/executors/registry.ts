import type { ExecutorType } from '../model/executors/executor-type.ts';
import { argvExecutor } from './process/argv.ts';
import { commandExecutor } from './process/command.ts';
import { dagExecutor } from './dag.ts';
import type { ActionExecutor, RunningStep, StepContext } from './executor.ts';
import { runTask } from './run-task.ts';
import { scriptExecutor } from './process/script.ts';

/** Executors are loaded on first use, because each brings a library that most runs do not need. */
const executors: Readonly<Record<ExecutorType, () => Promise<ActionExecutor>>> = {
  approval: async () => (await import('./approval/approval.ts')).approvalExecutor,
  archive: async () => (await import('./archive/archive.ts')).archiveExecutor,
  container: async () => (await import('./container/container.ts')).containerExecutor,
  gha: async () => (await import('./actions/actions.ts')).actionsExecutor,
  http: async () => (await import('./http/http.ts')).httpExecutor,
  jq: async () => (await import('./jq/jq.ts')).jqExecutor,
  mail: async () => (await import('./mail/mail.ts')).mailExecutor,
  sql: async () => (await import('./sql/sql.ts')).sqlExecutor,
  ssh: async () => (await import('./ssh/ssh.ts')).sshExecutor,
};

/** Starts an attempt with the executor for its kind of action. */
export function startAction(context: StepContext): RunningStep {
  const { action } = context.step;
  switch (action.kind) {
    case 'command':
      return commandExecutor.start(context, action);
    case 'argv':
      return argvExecutor.start(context, action);
    case 'script':
      return scriptExecutor.start(context, action);
    case 'dag':
      return dagExecutor.start(context, action);
    case 'executor':
      return runTask(context, async (task) => {
        const executor = await executors[action.type]();
        return executor.run(context, action, task);
      });
  }
}
