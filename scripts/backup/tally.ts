import type { BackupRecord } from '../../contract/backup.ts';
import { counted } from '../counted.ts';

/** Counts records, and remembers the rows that did not verify. */
export interface Tally {
  readonly add: (records: readonly BackupRecord[]) => void;
  /** Such as `3 API keys, 20 prompts, 5 secrets, 1 list of protected labels`. */
  readonly text: () => string;
  /** Number of API keys. */
  readonly apiKeys: number;
  /** Rows that did not verify and are missing from the backup. */
  readonly refused: readonly string[];
}

const COUNTED: readonly (readonly [type: BackupRecord['type'], one: string, many?: string])[] = [
  ['api-key', 'API key'],
  ['prompt', 'prompt'],
  ['secret', 'secret'],
  ['protected-labels', 'list of protected labels', 'lists of protected labels'],
];

export const createTally = (): Tally => {
  const counts = new Map<string, number>();
  const refused: string[] = [];
  return {
    refused,
    get apiKeys() {
      return counts.get('api-key') ?? 0;
    },
    add: (records) => {
      for (const record of records) {
        counts.set(record.type, (counts.get(record.type) ?? 0) + 1);
        if (record.type === 'refused') refused.push(`${record.pk} / ${record.sk}`);
      }
    },
    text: () => COUNTED.map(([type, one, many]) => counted(counts.get(type) ?? 0, one, many)).join(', '),
  };
};

/** The rows that are missing from a backup, as an error message. */
export const refusedText = ({ refused }: Tally): string =>
  `Rows that do not verify in the installation: ${refused.length}. They are missing from the backup, with the prompts and API keys that they belong to:\n${refused.map((row) => `  ${row}`).join('\n')}\nSee "A row is refused" in docs/operations.md.`;
