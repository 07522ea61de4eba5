import type { SealedEntry } from '../../../lambdas/core/seal/entries.ts';
import type { Item, Key, Table } from '../../../lambdas/store/table.ts';
import type { Random } from '../random.ts';

/** An object of the sealed log, as the verification finds it. */
export interface Logged {
  readonly key: string;
  readonly bytes: Buffer;
  readonly laterVersions?: number;
  readonly hidden?: boolean;
}

/** A table with its sealed log. */
export interface Sealed {
  readonly table: Table;
  readonly objects: readonly Logged[];
  readonly entries: readonly SealedEntry[];
  /** The row with the last seal. */
  readonly last: Item;
}

export interface Tampering {
  /** The objects of the log after it. @default - as they were */
  readonly objects?: readonly Logged[];
  /** What must be found: the subjects of the findings. */
  readonly found: readonly string[];
  /** Further findings that follow from it. */
  readonly also?: readonly string[];
  /** Restores the table. */
  readonly undo?: () => Promise<unknown>;
}

/** What someone can do to a sealed table or log, by name. */
export type Tamperings = Readonly<Record<string, (sealed: Sealed, random: Random) => Promise<Tampering>>>;

export const subjectOf = ({ pk, sk }: Key): string => `${pk} / ${sk}`;

/** An object of the log, by its position. */
export const objectAt = ({ objects }: Sealed, index: number): Logged =>
  objects[index] ?? { key: '', bytes: Buffer.alloc(0) };
