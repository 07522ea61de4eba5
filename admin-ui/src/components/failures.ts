export interface Failure {
  readonly promptId: string;
  readonly name: string;
  readonly code: string;
  readonly reason: string;
  readonly label?: string | undefined;
  readonly calls: number;
}

/** Failing calls of one API key by cause, in their order: a label that several prompts lack is one cause. */
export const failuresByCause = <Each extends Failure>(failures: readonly Each[]) =>
  [
    ...Map.groupBy(failures, ({ code, reason, label }) =>
      code === 'label_not_found' ? `${code} ${label}` : `${code} ${reason}`,
    ),
  ].map(([id, own]) => {
    const prompts = [...new Map(own.map((each) => [each.promptId, each])).values()];
    const [first] = own;
    return {
      id,
      prompts,
      text:
        first?.code === 'label_not_found' && prompts.length > 1
          ? `None of these ${prompts.length} prompts has the label "${first.label}"`
          : (first?.reason ?? ''),
      /** Whether the calls were served, with a placeholder left. */
      isServed: first?.code === 'placeholder_left',
      calls: own.reduce((sum, { calls }) => sum + calls, 0),
      failures: own,
    };
  });
