// Verifies the sealed audit log and compares the table with it: npm run audit:verify
import { appendFileSync, writeFileSync } from 'node:fs';
import { runWithArguments } from '../aws/command.ts';
import { counted } from '../counted.ts';
import { LOG_OPTIONS, openLog } from './open.ts';
import type { Finding } from './verification/objects.ts';
import { type Verification, verifyAudit } from './verification/verify.ts';

const USAGE = `Usage: npm run audit:verify -- [--stage STAGE] [--from DAY] [--to DAY] [--public-key FILE] [--export FILE]
       npm run audit:verify -- --folder COPY --public-key FILE [--from DAY] [--to DAY] [--export FILE]

Verifies the sealed audit log and lists what is missing, changed or unsealed in the table. Without --stage it works on the
data folder of "npm start", which may be running. With --folder it verifies a copy of the bucket with nothing but the
public keys in a file. --export writes the sealed entries of the days to a file, as JSON Lines.`;

const MOST_LINES = 200;

const OPTIONS = {
  ...LOG_OPTIONS,
  export: { type: 'string' },
} as const;

const lineOf = ({ kind, subject, problem }: Finding): string => `${kind.padEnd(8)} ${subject}: ${problem}`;

const reportOf = ({ findings, objects, entries, last, pending }: Verification, isCopy: boolean): string => {
  const end = last === undefined ? '' : `, the last one number ${last.number}, sealed up to ${last.to}`;
  const lines = [
    `Verified ${counted(objects, 'sealed object')} with ${counted(entries, 'entry', 'entries')} of these days${end}.`,
    ...(isCopy ? [] : [`Newer entries that are not sealed yet: ${pending}.`]),
    ...findings.slice(0, MOST_LINES).map(lineOf),
    ...(findings.length > MOST_LINES ? [`… and ${findings.length - MOST_LINES} more.`] : []),
    findings.length === 0
      ? 'Nothing is missing, changed or unsealed.'
      : `${counted(findings.length, 'finding')}. See "Findings" in docs/operations.md.`,
  ];
  return lines.join('\n');
};

await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
  const { from, to, export: file } = values;
  const source = await openLog(values, USAGE);
  try {
    if (file !== undefined) writeFileSync(file, '', { mode: 0o600 });
    const verification = await verifyAudit({
      ...{ verifier: source.verifier, objects: source.objects, table: source.table },
      ...{ now: new Date(), from, to },
      onEntries: (sealed) => {
        if (file !== undefined) appendFileSync(file, sealed.map(({ line }) => `${line}\n`).join(''));
      },
    });
    if (verification.findings.length > 0) process.exitCode = 1;
    return reportOf(verification, source.table === undefined);
  } finally {
    await source.close();
  }
});
