import { numberIn } from '../../../lambdas/core/seal/sealed-object.ts';

/** An object of the sealed log, in the bucket or in a copy of it. */
export interface LoggedObject {
  readonly key: string;
  /** The bytes of its oldest version. */
  readonly read: () => Promise<Buffer>;
  /** Number of later versions. @default 0 */
  readonly laterVersions?: number;
  /** Whether a delete marker hides it. @default false */
  readonly hidden?: boolean;
}

/** A difference from what was sealed. */
export interface Finding {
  readonly kind: 'missing' | 'changed' | 'unsealed';
  /** Key of an object, or of a row of the table. */
  readonly subject: string;
  readonly problem: string;
}

export const finding = (kind: Finding['kind'], subject: string, problem: string): Finding => ({
  kind,
  subject,
  problem,
});

export interface NumberedObject extends LoggedObject {
  readonly number: number;
}

/** The objects in the order of the chain, and a finding for each whose key is not one of the log. */
export const numbered = (
  objects: readonly LoggedObject[],
): { readonly chain: readonly NumberedObject[]; readonly findings: readonly Finding[] } => {
  const chain: NumberedObject[] = [];
  const findings: Finding[] = [];
  for (const object of objects) {
    const number = numberIn(object.key);
    if (number !== undefined) chain.push({ ...object, number });
    else findings.push(finding('changed', object.key, 'This is not an object of the log.'));
  }
  chain.sort((a, b) => a.number - b.number || (a.key < b.key ? -1 : 1));
  return { chain, findings };
};

/** What the numbers and versions of the objects reveal, without reading them. */
export const listingFindings = (chain: readonly NumberedObject[]): Finding[] => {
  const findings: Finding[] = [];
  for (const [i, { key, number, laterVersions = 0, hidden = false }] of chain.entries()) {
    const before = chain[i - 1]?.number ?? number;
    if (before === number && i > 0)
      findings.push(finding('changed', key, `There are two objects with number ${number}.`));
    if (number > before + 1)
      findings.push(finding('missing', `objects ${before + 1} to ${number - 1}`, 'They are missing.'));
    if (laterVersions > 0) {
      const problem = `Someone has written ${laterVersions} later versions of it. The oldest is checked.`;
      findings.push(finding('changed', key, problem));
    }
    if (hidden) findings.push(finding('missing', key, 'A delete marker hides it.'));
  }
  return findings;
};
