import type { EditResult, NodeRef } from '../../../core/edit/text-change.ts';
import { readEditable, type EditableText } from '../../../core/edit/yaml/editable-text.ts';
import { computeEdit, type EditRequest } from './edit-request.ts';
import { type Inspection, inspect } from './inspect.ts';

/** A read request. */
interface ReadRequest {
  /** Undefined represents the workflow itself. */
  readonly refs: readonly (NodeRef | undefined)[];
  /** Document index of a further workflow. */
  readonly document?: number | undefined;
}

/**
 * Reads texts and computes edits for the forms. It is a worker in the window, so that a large file does not
 * block it.
 */
export interface FormWorker {
  inspect(text: string, inspected: ReadRequest): Promise<Inspection>;
  edit(text: string, request: EditRequest): Promise<EditResult>;
  dispose(): void;
}

/** A request to the worker. */
export type FormWorkerTask = { readonly text: string } & (ReadRequest | { readonly request: EditRequest });

/** Handles the requests; the text of the previous request is not parsed again. */
export class FormReader {
  #editable: EditableText | undefined;

  work(task: FormWorkerTask): Inspection | EditResult {
    this.#editable = readEditable(task.text, this.#editable);
    return 'refs' in task
      ? inspect(this.#editable, task.refs, task.document)
      : computeEdit(this.#editable, task.request);
  }
}

/** Creates a clerk that works without a worker. */
export function createDirectFormWorker(): FormWorker {
  const reader = new FormReader();
  return {
    inspect: async (text, inspected) => reader.work({ text, ...inspected }) as Inspection,
    edit: async (text, request) => reader.work({ text, request }) as EditResult,
    dispose: () => undefined,
  };
}
