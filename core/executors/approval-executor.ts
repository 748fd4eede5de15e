import { toIso } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { approvalTable } from '../model/executor-config.ts';
import { formatAnswer, type Question } from '../model/approval.ts';
import { evaluateConfig } from './evaluate-config.ts';
import type { ActionExecutor, AnsweredQuestion, StepContext } from './executor.ts';

/** Maximum length of a question and of its details, in UTF-16 code units. */
const maxCharacters = { question: 4000, details: 64_000 } as const;

/**
 * Asks for an approval and ends with the answer. stdout is the answer as JSON; stderr logs the question and the
 * answer. A rejection fails the attempt without retries.
 */
export const executor: ActionExecutor = {
  async run(context, action, { signal, output }) {
    const answered = await context.approvals.ask(async () => {
      const question = await compose(context, action.config as JsonObject);
      output.stderr(`${[question.question, question.details ?? []].flat().join('\n\n')}\n`);
      return question;
    }, signal);
    const { answer } = answered;
    output.stderr(`${formatAnswer(answer)}\n`);
    output.stdout(`${JSON.stringify(toResult(answered))}\n`);
    return answer.decision === 'approved' ? {} : { error: formatAnswer(answer), isFinal: true };
  },
};

async function compose({ expand }: StepContext, config: JsonObject): Promise<Question> {
  const {
    question,
    details,
    inputs = [],
    required = [],
  } = await evaluateConfig(approvalTable, config, expand);
  if (question.trim() === '') throw new Error('config.question is empty');
  return {
    question: cut(question.trim(), maxCharacters.question),
    ...(details?.trim() && { details: cut(details.trimEnd(), maxCharacters.details) }),
    inputs,
    required,
  };
}

function cut(text: string, max: number): string {
  const excess = text.length - max;
  return excess <= 0 ? text : `${text.slice(0, max)}…\n(${excess} more characters are not shown)`;
}

/** Includes every input, so that a reference to an input that was left blank is empty. */
const toResult = ({ inputs, answer }: AnsweredQuestion): JsonObject => ({
  approved: answer.decision === 'approved',
  by: answer.by,
  comment: answer.comment ?? '',
  at: toIso(answer.at),
  inputs: Object.fromEntries(inputs.map((name) => [name, answer.values[name] ?? ''])),
});
