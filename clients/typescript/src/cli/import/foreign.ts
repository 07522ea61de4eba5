import type { Content } from '../../../../../contract/content/content.ts';
import { byVersion } from '../../wire.ts';

/** A version of a prompt in another system. */
export interface ForeignVersion {
  /** MAJOR.MINOR.PATCH */
  readonly version: string;
  readonly content: Content;
  readonly note?: string | undefined;
  readonly labels?: readonly string[] | undefined;
}

/** A prompt of another system, its versions in ascending order. */
export interface ForeignPrompt {
  readonly name: string;
  readonly versions: readonly ForeignVersion[];
  /** Why it cannot be taken over, if it cannot. */
  readonly problem?: string | undefined;
}

/** What prevents taking over a single prompt. */
export class Unfit extends Error {}

/** A prompt from its versions, in any order, each read by `read`. A version that is unfit makes the whole prompt unfit. */
export const foreignPrompt = async <Each>(
  name: string,
  all: readonly Each[],
  read: (each: Each) => ForeignVersion | Promise<ForeignVersion>,
): Promise<ForeignPrompt> => {
  const versions: ForeignVersion[] = [];
  try {
    for (const each of all) versions.push(await read(each));
  } catch (error) {
    if (error instanceof Unfit) return { name, versions: [], problem: error.message };
    throw error;
  }
  return { name, versions: versions.sort((a, b) => byVersion(a.version, b.version)) };
};
