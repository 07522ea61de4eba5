import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { SIGNATURE } from '../../lambdas/store/signing/rows.ts';
import { isSignedKind, type SignAgainReport } from '../../lambdas/store/signing/sign-again.ts';
import type { Item, Key, Table } from '../../lambdas/store/table.ts';

/** Signs one batch of rows again. */
export type SignBatch = (rows: readonly Key[]) => Promise<SignAgainReport>;

const BATCH = 100;

/** The keys of all rows that the current signing key has not signed, page by page. Scans the table. */
async function* notCurrent(table: Table): AsyncGenerator<Key[]> {
  let start: Item | undefined;
  do {
    const page = await table.documents.send(
      new ScanCommand({
        TableName: table.name,
        ProjectionExpression: 'pk, sk, #signature',
        ExpressionAttributeNames: { '#signature': SIGNATURE },
        ConsistentRead: true,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    const rows = (page.Items ?? []).map((item) => ({
      key: { pk: String(item.pk), sk: String(item.sk) },
      signature: item[SIGNATURE],
    }));
    // A signature on any other kind of row is reported.
    yield rows
      .filter(({ key, signature }) => signature !== undefined || isSignedKind(key))
      .filter(({ signature }) => !table.signing.isCurrent(signature))
      .map(({ key }) => key);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

/** The number of rows that the current signing key has not signed. Scans the table. */
export const countNotCurrent = async (table: Table): Promise<number> => {
  let count = 0;
  for await (const rows of notCurrent(table)) count += rows.length;
  return count;
};

/**
 * Signs every row again that a former key signed. It can be interrupted: the next run signs what is left.
 * Errors: those of `sign`.
 */
export const signEveryRow = async (table: Table, sign: SignBatch): Promise<SignAgainReport> => {
  const reports: SignAgainReport[] = [];
  for await (const rows of notCurrent(table)) {
    for (let start = 0; start < rows.length; start += BATCH) {
      reports.push(await sign(rows.slice(start, start + BATCH)));
    }
  }
  return {
    signed: reports.reduce((sum, { signed }) => sum + signed, 0),
    refused: reports.flatMap(({ refused }) => refused),
  };
};
