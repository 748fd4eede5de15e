import { handlerNames, type HandlerName } from '../../model/workflow/handler-name.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { AuthoredHandlers } from '../authored.ts';
import type { Report } from '../source/report.ts';
import { findField, fieldOf, type SourceRef } from '../source/source-node.ts';
import { normalizeStep } from './normalize-step.ts';
import { draftStep } from './step-draft.ts';

const stepNames: Readonly<Record<HandlerName, string>> = {
  init: 'onInit',
  success: 'onSuccess',
  failure: 'onFailure',
  abort: 'onAbort',
  exit: 'onExit',
};

/** Reads `handlerOn`. Each handler is a step with a fixed name and no dependencies. */
export function normalizeHandlers(
  handlers: AuthoredHandlers | undefined,
  source: SourceRef,
  report: Report,
): Workflow['handlers'] {
  const normal: Workflow['handlers'] = {};
  for (const key of handlerNames) {
    const authored = handlers?.[key];
    if (authored === undefined) continue;
    const at = fieldOf(source, key);
    for (const field of ['name', 'depends']) {
      const extra = findField(at, field);
      if (extra)
        report.warning(
          extra,
          `"${field}" has no effect on handlers: the name is always ${stepNames[key]}, and handlers have no dependencies. Remove it.`,
        );
    }
    const step = normalizeStep(draftStep(authored, at, 0, report), stepNames[key], [], report);
    if (step) normal[key] = step;
  }
  return normal;
}
