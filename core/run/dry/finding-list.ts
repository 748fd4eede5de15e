import { messageOf } from '../../base/errors.ts';
import type { DryFindingView } from '../../contract/runs/dry.ts';
import { stripUnknownMarks } from './unknown-text.ts';

/** The subject of a finding: a workflow, one of its steps, or a field of either. */
export type FindingLocation = Pick<DryFindingView, 'plan' | 'workflow' | 'step' | 'field'>;

/** Collects findings, without duplicates at the same place. */
export class FindingList {
  readonly #findings = new Map<string, DryFindingView>();
  #location: FindingLocation = { plan: 0, workflow: '' };

  /** The place that new findings belong to. */
  get location(): FindingLocation {
    return this.#location;
  }

  /** Runs work whose findings belong to a narrower place. Calls must not overlap. */
  async at<Result>(
    location: Partial<FindingLocation>,
    work: () => Promise<Result> | Result,
  ): Promise<Result> {
    const before = this.#location;
    this.#location = { ...before, ...location };
    try {
      return await work();
    } finally {
      this.#location = before;
    }
  }

  add(severity: DryFindingView['severity'], message: string): void {
    this.addAt(this.#location, severity, message);
  }

  addAt(location: FindingLocation, severity: DryFindingView['severity'], message: string): void {
    const finding = { severity, message: stripUnknownMarks(message), ...location };
    this.#findings.set(JSON.stringify(finding), finding);
  }

  /** Adds an error finding for something that cannot be resolved. */
  addError(error: unknown): void {
    this.add('error', messageOf(error));
  }

  /** Returns the errors, then the warnings, each in the order found. */
  list(): DryFindingView[] {
    const all = [...this.#findings.values()];
    const order = ['error', 'warning', 'info'] as const;
    return order.flatMap((severity) => all.filter((finding) => finding.severity === severity));
  }
}
