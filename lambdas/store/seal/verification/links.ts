import { DAY_MS } from '../../../core/days.ts';
import { objectKey, type Seal, type SealedObject, sha256 } from '../../../core/seal/sealed-object.ts';
import type { Verifier } from '../../signing/rows.ts';
import { openObject } from '../seals.ts';
import type { Finding, NumberedObject } from './objects.ts';

/** Checks objects one after the other, in the order of the chain. */
export interface Links {
  /** Returns the object if its signature is valid, and what is wrong with it or its place in the chain. */
  readonly check: (
    object: NumberedObject,
    bytes: Buffer,
  ) => { readonly opened: SealedObject | undefined; readonly findings: readonly Finding[] };
}

interface Link {
  readonly seal: Seal;
  readonly digest: string;
}

const whyNotFirst = ({ number, from, shortestDays }: Seal, now: Date): string | undefined => {
  if (number === 1) return undefined;
  const kept = now.getTime() - Date.parse(from) > shortestDays * DAY_MS;
  return kept ? undefined : `The ${number - 1} objects before it are missing.`;
};

const whyNotNext = (before: Link, { previous, from }: Seal, afterGap: boolean): string | undefined => {
  if (previous === before.digest)
    return from === before.seal.to ? undefined : 'Its range does not follow the one before.';
  // What is missing or changed in between has been reported, and explains this.
  return afterGap ? undefined : 'It does not follow the object before it: the chain is forked.';
};

/**
 * Checks that objects are links of one chain. `isPart`: the first object to be checked need not be the first of the
 * log.
 */
export const createLinks = (verifier: Verifier, now: Date, isPart: boolean): Links => {
  let before: Link | undefined;
  let lastNumber: number | undefined;

  const whyWrong = ({ key }: NumberedObject, seal: Seal): string | undefined => {
    if (objectKey(seal) !== key) return `It is a copy of ${objectKey(seal)}.`;
    if (before === undefined) {
      // After an object that is not valid, nothing can be said about the one before.
      return isPart || lastNumber !== undefined ? undefined : whyNotFirst(seal, now);
    }
    return whyNotNext(before, seal, lastNumber !== before.seal.number || seal.number > lastNumber + 1);
  };

  return {
    check: (object, bytes) => {
      const { key, number } = object;
      const findings: Finding[] = [];
      let opened: SealedObject | undefined;
      try {
        opened = openObject(verifier, bytes);
        opened.entries();
      } catch (error) {
        opened = undefined;
        const reason = error instanceof Error ? error.message : String(error);
        findings.push({ kind: 'changed', subject: key, problem: `It is not what was sealed: ${reason}.` });
      }
      const problem = opened && whyWrong(object, opened.seal);
      if (problem !== undefined) {
        findings.push({ kind: 'changed', subject: key, problem });
        opened = undefined;
      }
      if (opened !== undefined) before = { seal: opened.seal, digest: sha256(bytes) };
      lastNumber = number;
      return { opened, findings };
    },
  };
};
